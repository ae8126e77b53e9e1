/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where code goes. What is kept out of a short path keeps its registers and its stack out of it,
 * too: a refusal with seven arguments inside would cost each call that is not refused.
 */
#ifndef BASE_PLACEMENT_H_
#define BASE_PLACEMENT_H_

/* Less usual, and on no account to be merged into its caller. */
#define OUT_OF_LINE __attribute__((noinline))

/* The same, and hardly ever called: a branch to it counts as unlikely. */
#define COLD __attribute__((cold, noinline))

#endif /* BASE_PLACEMENT_H_ */
