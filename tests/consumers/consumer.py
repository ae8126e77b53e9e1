# SPDX-License-Identifier: Apache-2.0
"""A program of a user in Python: ctypes over the installed libraries copies 4 KiB through DMA.

consumer.py DIRECTORY_OF_THE_LIBRARIES
"""
import ctypes
import pathlib
import sys

directory = pathlib.Path(sys.argv[1])
common = ctypes.CDLL(directory / "libdoca_common.so.2")
dma_library = ctypes.CDLL(directory / "libdoca_dma.so.2")
common.doca_error_get_name.restype = ctypes.c_char_p
dma_library.doca_dma_as_ctx.restype = ctypes.c_void_p
dma_library.doca_dma_task_memcpy_as_task.restype = ctypes.c_void_p

LEN = 4096
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


def must(result):
    assert result == 0, common.doca_error_get_name(result)


def new(create, *arguments):
    made = ctypes.c_void_p()
    must(create(*arguments, ctypes.byref(made)))
    return made


num_done = 0


def done(task, _task_data, _ctx_data):
    global num_done
    num_done += 1
    common.doca_task_free(ctypes.c_void_p(dma_library.doca_dma_task_memcpy_as_task(ctypes.c_void_p(task))))


callback = CALLBACK(done)
devices = ctypes.POINTER(ctypes.c_void_p)()
num_devices = ctypes.c_uint32()
must(common.doca_devinfo_create_list(ctypes.byref(devices), ctypes.byref(num_devices)))
device = new(common.doca_dev_open, ctypes.c_void_p(devices[0]))
must(common.doca_devinfo_destroy_list(devices))

source = ctypes.create_string_buffer(b"x" * LEN, LEN)
target = ctypes.create_string_buffer(LEN)
maps = []
for memory in (source, target):
    mmap = new(common.doca_mmap_create)
    must(common.doca_mmap_set_memrange(mmap, memory, ctypes.c_size_t(LEN)))
    must(common.doca_mmap_add_dev(mmap, device))
    must(common.doca_mmap_start(mmap))
    maps.append(mmap)
inventory = new(common.doca_buf_inventory_create, ctypes.c_size_t(2))
must(common.doca_buf_inventory_start(inventory))
buffers = []
for mmap, memory, valid in zip(maps, (source, target), (LEN, 0)):
    get = common.doca_buf_inventory_buf_get_by_args
    size = ctypes.c_size_t(LEN)
    buffers.append(new(get, inventory, mmap, memory, size, memory, ctypes.c_size_t(valid)))

pe = new(common.doca_pe_create)
dma = new(dma_library.doca_dma_create, device)
ctx = ctypes.c_void_p(dma_library.doca_dma_as_ctx(dma))
must(common.doca_pe_connect_ctx(pe, ctx))
must(dma_library.doca_dma_task_memcpy_set_conf(dma, callback, callback, ctypes.c_uint32(1)))
must(common.doca_ctx_start(ctx))
task = new(dma_library.doca_dma_task_memcpy_alloc_init, dma, *buffers, ctypes.c_uint64(0))
must(common.doca_task_submit(ctypes.c_void_p(dma_library.doca_dma_task_memcpy_as_task(task))))
for _ in range(10):
    common.doca_pe_progress(pe)

must(common.doca_ctx_stop(ctx))
must(dma_library.doca_dma_destroy(dma))
must(common.doca_pe_destroy(pe))
for buffer in buffers:
    must(common.doca_buf_dec_refcount(buffer, None))
must(common.doca_buf_inventory_destroy(inventory))
for mmap in maps:
    must(common.doca_mmap_destroy(mmap))
must(common.doca_dev_close(device))
print(f"copied {num_done}: {'same' if source.raw == target.raw else 'different'}")
