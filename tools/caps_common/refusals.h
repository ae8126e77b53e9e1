/* SPDX-License-Identifier: Apache-2.0 */
/* Why the library refuses stands in its log alone: a tool has it on standard error. */
#ifndef CAPS_COMMON_REFUSALS_H_
#define CAPS_COMMON_REFUSALS_H_

/* Before the first call that may be refused; once is enough. Nothing where DOCA_LOG_LEVEL is a
 * level that has the library say it already. */
void refusals_show(void);

#endif /* CAPS_COMMON_REFUSALS_H_ */
