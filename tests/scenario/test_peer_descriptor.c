/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that are whole, and not what the exporter made. */
#include "support/peer_fixture.h"

#include "wire/export.h"

#define LEN ((size_t)1 << 16)

/* Whoever has a descriptor can write another with its secret. */
static void a_descriptor_that_was_written_anew_is_no_other_range(void **state)
{
	struct peer_fixture peer = peer_open_usual(LEN);
	struct doca_mmap *again = NULL;
	struct export_descriptor changed;
	uint8_t bytes[EXPORT_MAX_BYTES];
	const char *why;
	size_t len;

	for (int i = 0; i < 3; i++) {
		assert_doca(export_decode(peer.exporter.descriptor, peer.exporter.descriptor_bytes,
					  &changed, &why),
			    DOCA_SUCCESS);
		changed.addr -= i == 0 ? 4096 : 0;
		changed.len_bytes += i == 1 ? 4096 : 0;
		changed.flags ^= i == 2 ? EXPORT_MAY_WRITE : 0;
		len = export_encode(&changed, bytes);
		assert_doca(doca_mmap_create_from_export(NULL, bytes, len, peer.dma->dev, &again),
			    DOCA_ERROR_AUTHENTICATION);
		assert_null(again);
	}
	peer_close_all(&peer);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_descriptor_that_was_written_anew_is_no_other_range),
	};

	exporter_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
