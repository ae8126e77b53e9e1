/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a person, or for softdoca pair, to press Enter. */
#ifndef SAMPLES_COMMON_ENTER_H_
#define SAMPLES_COMMON_ENTER_H_

#include <stdbool.h>

/* False: interrupted, or nobody can press it any more; either was said. */
bool enter_wait(void);

#endif /* SAMPLES_COMMON_ENTER_H_ */
