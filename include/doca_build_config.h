/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file doca_build_config.h
 * @brief Which side of the card a program is built for, and for which CPU.
 *
 * The host's side is the default on every CPU; -DDOCA_ARCH_DPU, which the pkg-config files of the
 * DPU flavour pass, selects the DPU's. Exactly one of DOCA_ARCH_HOST and DOCA_ARCH_DPU is defined.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#if defined(DOCA_ARCH_DPU)
#undef DOCA_ARCH_HOST
#elif !defined(DOCA_ARCH_HOST)
#define DOCA_ARCH_HOST
#endif

#if defined(__aarch64__)
#ifndef DOCA_ARCH_ARM
#define DOCA_ARCH_ARM
#endif
#elif defined(__x86_64__)
#ifndef DOCA_ARCH_X86
#define DOCA_ARCH_X86
#endif
#endif

#endif /* DOCA_BUILD_CONFIG_H_ */
