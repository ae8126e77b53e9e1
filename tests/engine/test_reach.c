/* SPDX-License-Identifier: Apache-2.0 */
/* The reach engine: the contract of all engines over own memory. */
#include "contract/engine_suite.h"

#include "engine/reach/reach.h"

int main(void)
{
	return engine_suite_run(&reach_engine, NULL, 0);
}
