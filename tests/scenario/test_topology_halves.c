/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host and a DPU, two processes that read one topology file, each with its role: a function of
 * the host exports memory and sends the descriptor to whoever stands behind its representor, who
 * copies both ways. The test is the DPU.
 */
#include "support/comch_fixture.h"

#include "support/comch_child.h"
#include "support/dma_fixture.h"
#include "support/peer_fixture.h"

#define AREA_BYTES 65536
#define HOST_BYTE 0x3c
#define DPU_BYTE 0xc3

static struct doca_dev *open_by_ibdev(const char *wanted)
{
	struct doca_devinfo **list = NULL;
	struct doca_dev *dev = NULL;
	uint32_t num_devs = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_devs && dev == NULL; i++) {
		char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];

		assert_doca(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)), DOCA_SUCCESS);
		if (strcmp(name, wanted) == 0)
			assert_doca(doca_dev_open(list[i], &dev), DOCA_SUCCESS);
	}
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	assert_non_null(dev);
	return dev;
}

static struct doca_dev_rep *open_rep(struct doca_dev *dev, const char *wanted)
{
	struct doca_devinfo_rep **list = NULL;
	struct doca_dev_rep *rep = NULL;
	uint32_t num_reps = 0;

	assert_doca(
		doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num_reps),
		DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_reps && rep == NULL; i++) {
		char name[DOCA_DEVINFO_IFACE_NAME_SIZE];

		assert_doca(doca_devinfo_rep_get_iface_name(list[i], name, sizeof(name)),
			    DOCA_SUCCESS);
		if (strcmp(name, wanted) == 0)
			assert_doca(doca_dev_rep_open(list[i], &rep), DOCA_SUCCESS);
	}
	assert_doca(doca_devinfo_rep_destroy_list(list), DOCA_SUCCESS);
	assert_non_null(rep);
	return rep;
}

/* In the child: the number of functions that it sees. */
static int host_list(void)
{
	struct doca_devinfo **list = NULL;
	uint32_t num_devs = 0;
	char line[32];

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	for (uint32_t i = 0; i < num_devs; i++) {
		assert_doca(doca_devinfo_get_pci_addr_str(list[i], line), DOCA_SUCCESS);
		child_tell(line);
	}
	return doca_devinfo_destroy_list(list) == DOCA_SUCCESS ? 0 : 1;
}

/* In the child: memory of one of the host's functions, for whoever is behind its representor. */
static int host_export(const char *ibdev, const char *name)
{
	struct comch_end client = {.dev = open_by_ibdev(ibdev)};
	uint8_t *area = malloc(AREA_BYTES);
	struct doca_mmap *mmap = NULL;
	const void *descriptor;
	bool was_copied = true;
	size_t len;

	assert_non_null(area);
	memset(area, HOST_BYTE, AREA_BYTES);
	assert_doca(doca_mmap_create(&mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_add_dev(mmap, client.dev), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_memrange(mmap, area, AREA_BYTES), DOCA_SUCCESS);
	assert_doca(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE), DOCA_SUCCESS);
	assert_doca(doca_mmap_start(mmap), DOCA_SUCCESS);
	assert_doca(doca_mmap_export_pci(mmap, client.dev, &descriptor, &len), DOCA_SUCCESS);

	comch_client_open_at(&client, name, NULL);
	comch_start(&client);
	comch_until(&client, NULL, comch_state(&client) == DOCA_CTX_STATE_RUNNING);
	assert_doca(doca_comch_client_get_connection(client.client, &client.peer), DOCA_SUCCESS);
	assert_doca(comch_send(&client, client.peer, descriptor, (uint32_t)len), DOCA_SUCCESS);
	comch_until(&client, NULL, client.num_received == 1);
	for (size_t i = 0; i < AREA_BYTES; i++)
		was_copied = was_copied && area[i] == DPU_BYTE;
	child_tell(was_copied ? "copied" : "not copied");
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	comch_end_close(&client);
	free(area);
	return 0;
}

/* The host's memory comes over, and other bytes go back. */
static void copy_both_ways(const uint8_t *descriptor, size_t len)
{
	struct dma_fixture *dma = dma_open(&(struct dma_options){.area_bytes = AREA_BYTES});
	struct doca_mmap *mmap = NULL;

	assert_doca(doca_mmap_create_from_export(NULL, descriptor, len, dma->dev, &mmap),
		    DOCA_SUCCESS);
	assert_doca(peer_copy(dma, peer_source(dma, mmap, 0, AREA_BYTES),
			      dma_target(dma, 0, AREA_BYTES)),
		    DOCA_SUCCESS);
	for (size_t i = 0; i < AREA_BYTES; i++)
		assert_int_equal(dma->target.bytes[i], HOST_BYTE);
	memset(dma->source.bytes, DPU_BYTE, AREA_BYTES);
	assert_doca(peer_copy(dma, dma_source(dma, 0, AREA_BYTES),
			      peer_target(dma, mmap, 0, AREA_BYTES)),
		    DOCA_SUCCESS);
	assert_doca(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	dma_close(dma);
}

static void start_host(struct comch_child *child, const char *first, const char *second,
		       const char *third)
{
	char name[120];

	comch_name("", name); /* the child's names are those of this run */
	assert_int_equal(setenv("SOFTDOCA_ROLE", "host", 1), 0);
	child_start(child, first, second, third);
	assert_int_equal(setenv("SOFTDOCA_ROLE", "dpu", 1), 0);
}

static void meet(const char *rep, const char *ibdev)
{
	struct comch_end server = {.dev = comch_open_device("0000:03:00.0")};
	struct comch_child host;

	server.rep = open_rep(server.dev, rep);
	comch_server_open_at(&server, rep, NULL);
	comch_start(&server);
	start_host(&host, "export", ibdev, rep);
	comch_until(&server, NULL, server.num_received == 1);
	copy_both_ways(server.last_message, server.last_len);
	assert_doca(comch_send(&server, server.peer, "done", 4), DOCA_SUCCESS);
	comch_until(&server, NULL, server.num_disconnects == 1);
	child_says(&host, "copied");
	child_finish(&host);
	comch_end_close(&server);
}

static void each_side_lists_its_own_functions(void **state)
{
	static const char *const hosts[] = {"0000:b1:00.0", "0000:b1:00.3", "0000:b1:00.4",
					    "0000:b1:00.0", "0000:c1:00.0", ""};
	struct doca_devinfo **list = NULL;
	struct comch_child host;
	uint32_t num_devs = 0;
	uint8_t is_dpu = 0;

	assert_doca(doca_devinfo_create_list(&list, &num_devs), DOCA_SUCCESS);
	assert_int_equal(num_devs, 3);
	assert_doca(doca_devinfo_is_equal_pci_addr(list[0], "03:00.0", &is_dpu), DOCA_SUCCESS);
	assert_int_equal(is_dpu, 1);
	assert_doca(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	start_host(&host, "list", NULL, NULL);
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		child_says(&host, hosts[i]);
	child_finish(&host);
}

static void a_physical_function_and_its_representor_meet(void **state)
{
	meet("pf0hpf", "mlx5_2");
}

static void a_virtual_function_and_its_representor_meet(void **state)
{
	meet("pf0vf0", "mlx5_6");
}

/* At the address of its physical function, and another for all that. */
static void a_sub_function_and_its_representor_meet(void **state)
{
	meet("pf0sf4", "mlx5_8");
}

static void servers_of_one_name_are_told_apart_by_their_representors(void **state)
{
	static const char *const reps[] = {"pf0hpf", "pf0vf0", "pf0vf1", "pf0sf4", "c2pf0hpf"};
	struct comch_end servers[5] = {0};

	for (size_t i = 0; i < 5; i++) {
		servers[i].dev = comch_open_device("0000:03:00.0");
		servers[i].rep = open_rep(servers[i].dev, reps[i]);
		comch_server_open_at(&servers[i], "one name", NULL);
		comch_start(&servers[i]);
		assert_int_equal(comch_state(&servers[i]), DOCA_CTX_STATE_RUNNING);
	}
	for (size_t i = 0; i < 5; i++)
		comch_end_close(&servers[i]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_side_lists_its_own_functions),
		cmocka_unit_test(a_physical_function_and_its_representor_meet),
		cmocka_unit_test(a_virtual_function_and_its_representor_meet),
		cmocka_unit_test(a_sub_function_and_its_representor_meet),
		cmocka_unit_test(servers_of_one_name_are_told_apart_by_their_representors),
	};

	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return host_list();
	if (argc == 4 && strcmp(argv[1], "export") == 0)
		return host_export(argv[2], argv[3]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
