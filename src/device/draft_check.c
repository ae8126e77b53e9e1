/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a topology file together: who belongs to whom, defaults, and doubles. */
#include "device/draft.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum unique_where {
	IN_FILE,
	IN_SIDE,    /* as ROLE lists that of all cards */
	IN_MACHINE, /* a card's DPU, or the host of that number */
	IN_CARD,
	IN_PF,
	ON_PF,
};

/* What two functions may not both have. Some have none, then it is not looked at. */
struct unique {
	const char *name;
	enum function_key key; /* NUM_FUNCTION_KEYS: a function itself has none */
	enum rep_key rep_key;  /* NUM_REP_KEYS: a representor has none */
	size_t offset;
	size_t rep_offset;
	size_t size;
	enum unique_where where;
};

#define OF(member) offsetof(struct draft, function.member)
#define SIZE(member) sizeof(((struct card_function *)NULL)->member)
#define OWN(name, key, member, where)                                                              \
	{                                                                                          \
		name, key, NUM_REP_KEYS, OF(member), 0, SIZE(member), where                        \
	}

static const struct unique uniques[] = {
	OWN("pci_addr", KEY_PCI_ADDR, pci_addr, IN_SIDE),
	OWN("ibdev_name", KEY_IBDEV_NAME, ibdev_name, IN_MACHINE),
	OWN("mac_addr", KEY_MAC_ADDR, mac, IN_FILE),
	OWN("lid", KEY_LID, lid, IN_FILE),
	OWN("ipv4_addr", KEY_IPV4_ADDR, ipv4, IN_FILE),
	OWN("ipv6_addr", KEY_IPV6_ADDR, ipv6, IN_FILE),
	OWN("vhca_id", KEY_VHCA_ID, vhca_id, IN_CARD),
	OWN("pf_index", KEY_PF_INDEX, pf_index, IN_CARD),
	OWN("vf_index", KEY_VF_INDEX, vf_index, IN_PF),
	OWN("sf_index", KEY_SF_INDEX, sf_index, IN_PF),
	OWN("vuid", KEY_VUID, vuid, IN_FILE),
	{"iface_name", KEY_IFACE_NAME, KEY_REP_IFACE_NAME, OF(iface_name), OF(rep_iface_name),
	 SIZE(iface_name), IN_MACHINE},
	{"iface_index", KEY_IFACE_INDEX, KEY_REP_IFACE_INDEX, OF(iface_index), OF(rep_iface_index),
	 SIZE(iface_index), IN_MACHINE},
	{"ib_port", NUM_FUNCTION_KEYS, KEY_REP_IB_PORT, 0, OF(rep_ib_port), SIZE(rep_ib_port),
	 ON_PF},
};

static bool is_same_host(const struct draft *a, const struct draft *b)
{
	return a->card == b->card && a->function.side == b->function.side &&
	       a->function.host_index == b->function.host_index;
}

/* Whether a function has one, of its own or, with is_rep, of its representor. */
static bool has(const struct unique *unique, const struct draft *draft, bool is_rep)
{
	const struct card_function *function = &draft->function;

	if (is_rep)
		return unique->rep_key != NUM_REP_KEYS && draft->on[0] != '\0';
	switch (unique->key) {
	case KEY_PCI_ADDR: /* a sub-function is at that of its physical one */
		return function->type != CARD_SF;
	case KEY_MAC_ADDR:
		return function->lid == 0;
	case KEY_LID:
		return function->lid != 0;
	case KEY_IPV4_ADDR:
		return function->has_ipv4;
	case KEY_PF_INDEX:
		return function->type == CARD_PF;
	case KEY_VF_INDEX:
		return function->type == CARD_VF;
	case KEY_SF_INDEX:
		return function->type == CARD_SF;
	default:
		return unique->key != NUM_FUNCTION_KEYS;
	}
}

/* A representor is where its DPU is. */
static bool is_same_machine(const struct draft *a, bool a_is_rep, const struct draft *b,
			    bool b_is_rep)
{
	bool a_is_dpu = a_is_rep || a->function.side == CARD_SIDE_DPU;
	bool b_is_dpu = b_is_rep || b->function.side == CARD_SIDE_DPU;

	if (a_is_dpu != b_is_dpu)
		return false;
	return a_is_dpu ? a->card == b->card : a->function.host_index == b->function.host_index;
}

static bool are_together(const struct unique *unique, const struct draft *a, bool a_is_rep,
			 const struct draft *b, bool b_is_rep)
{
	switch (unique->where) {
	case IN_SIDE:
		return a->function.side == b->function.side;
	case IN_MACHINE:
		return is_same_machine(a, a_is_rep, b, b_is_rep);
	case IN_CARD:
		return a->card == b->card && (unique->key != KEY_PF_INDEX || is_same_host(a, b));
	case IN_PF:
		return a->pf == b->pf;
	case ON_PF:
		return a->rep_on == b->rep_on;
	case IN_FILE:
		break;
	}
	return true;
}

static const void *value_of(const struct unique *unique, const struct draft *draft, bool is_rep)
{
	return (const char *)draft + (is_rep ? unique->rep_offset : unique->offset);
}

/* Whether one before the draft at an index, or it itself, has that value already. */
static const struct draft *find_double(const struct drafts *drafts, const struct unique *unique,
				       const struct draft *draft, bool is_rep)
{
	const void *value = value_of(unique, draft, is_rep);

	for (const struct draft *other = drafts->all; other <= draft; other++) {
		for (int of_rep = 0; of_rep <= 1; of_rep++) {
			if (other == draft && (of_rep || !is_rep))
				break;
			if (has(unique, other, of_rep) &&
			    are_together(unique, other, of_rep, draft, is_rep) &&
			    memcmp(value_of(unique, other, of_rep), value, unique->size) == 0)
				return other;
		}
	}
	return NULL;
}

static doca_error_t refuse_double(const struct drafts *drafts, const struct unique *unique,
				  const struct draft *draft, bool is_rep, const struct draft *other)
{
	const struct spot *spot =
		is_rep ? &draft->rep_spots[unique->rep_key] : &draft->spots[unique->key];
	char why[64];

	snprintf(why, sizeof(why), "the function of line %u has, too",
		 file_line(drafts->file, other->object.at));
	if (spot->at == 0) /* left out, and the default of it is taken */
		return file_refuse(drafts->file, draft->object.at,
				   "key '%s' is missing, and its default is one that %s; allowed: "
				   "one of its own",
				   unique->name, why);
	return file_refuse_value(drafts->file, unique->name, spot, why, "one of its own");
}

static doca_error_t find_doubles(const struct drafts *drafts)
{
	for (size_t i = 0; i < sizeof(uniques) / sizeof(uniques[0]); i++) {
		for (uint32_t j = 0; j < drafts->num; j++) {
			for (int is_rep = 0; is_rep <= 1; is_rep++) {
				const struct draft *draft = &drafts->all[j];
				const struct draft *other = NULL;

				if (has(&uniques[i], draft, is_rep))
					other = find_double(drafts, &uniques[i], draft, is_rep);
				if (other != NULL)
					return refuse_double(drafts, &uniques[i], draft, is_rep,
							     other);
			}
		}
	}
	return DOCA_SUCCESS;
}

/* The physical function that one belongs to, of those before it; NULL: none. */
static struct draft *find_pf(const struct drafts *drafts, const struct draft *draft)
{
	const struct card_function *function = &draft->function;

	for (struct draft *pf = drafts->all; pf < draft; pf++) {
		if (pf->card != draft->card || pf->function.type != CARD_PF ||
		    pf->function.side != function->side)
			continue;
		if (function->type == CARD_SF
			    ? strcmp(pf->function.pci_addr, function->pci_addr) == 0
			    : is_same_host(pf, draft) &&
				      pf->function.pf_index == function->pf_index)
			return pf;
	}
	return NULL;
}

/* A sub-function has the numbers of its physical one, and may say so. */
static doca_error_t tie_number(const struct drafts *drafts, const struct draft *draft,
			       enum function_key key, const char *name, uint32_t wanted,
			       uint32_t *number)
{
	if (!draft_has(draft, key))
		*number = wanted;
	if (*number == wanted)
		return DOCA_SUCCESS;
	return file_refuse_value(drafts->file, name, &draft->spots[key],
				 "is not that of the pf at its pci_addr", "that, or leave it out");
}

static doca_error_t tie_to_pf(const struct drafts *drafts, struct draft *draft)
{
	struct card_function *function = &draft->function;
	struct card_function *pf;
	doca_error_t result = DOCA_SUCCESS;

	draft->pf = find_pf(drafts, draft);
	if (draft->pf == NULL && function->type == CARD_SF)
		return file_refuse_value(drafts->file, "pci_addr", &draft->spots[KEY_PCI_ADDR],
					 "no pf of the same side has before it in this card",
					 "for an sf, the address of its pf");
	if (draft->pf == NULL) {
		char host[32] = "the DPU";

		if (function->side == CARD_SIDE_HOST)
			snprintf(host, sizeof(host), "host_index %u", function->host_index);
		return file_refuse(drafts->file, draft->object.at,
				   "no pf of %s with pf_index %u stands before this vf in its "
				   "card; allowed: the numbers of its pf",
				   host, function->pf_index);
	}
	pf = &draft->pf->function;
	if (function->type == CARD_SF)
		result = tie_number(drafts, draft, KEY_PF_INDEX, "pf_index", pf->pf_index,
				    &function->pf_index);
	if (function->type == CARD_SF && result == DOCA_SUCCESS)
		result = tie_number(drafts, draft, KEY_HOST_INDEX, "host_index", pf->host_index,
				    &function->host_index);
	if (function->type == CARD_VF && function->vf_index >= pf->total_vfs) {
		if (draft_has(draft->pf, KEY_TOTAL_VFS))
			return file_refuse_value(
				drafts->file, "vf_index", &draft->spots[KEY_VF_INDEX],
				"its pf is too small for", "numbers below the total_vfs of the pf");
		pf->total_vfs = function->vf_index + 1;
	}
	return result;
}

/* Without a number a physical function is the next one of its host. */
static void number_pf(const struct drafts *drafts, struct draft *draft)
{
	draft->pf = draft;
	if (draft_has(draft, KEY_PF_INDEX))
		return;
	for (const struct draft *pf = drafts->all; pf < draft; pf++) {
		if (pf->function.type == CARD_PF && is_same_host(pf, draft))
			draft->function.pf_index++;
	}
}

static doca_error_t tie_representor(const struct drafts *drafts, struct draft *draft)
{
	if (draft->on[0] == '\0')
		return DOCA_SUCCESS;
	for (uint32_t i = 0; i < drafts->num; i++) {
		struct draft *pf = &drafts->all[i];

		if (pf->card != draft->card || pf->function.type != CARD_PF ||
		    strcmp(pf->function.pci_addr, draft->on) != 0 ||
		    !card_can(&pf->function, CARD_REPRESENTORS))
			continue;
		draft->rep_on = pf;
		return DOCA_SUCCESS;
	}
	return file_refuse_value(drafts->file, "on", &draft->rep_spots[KEY_REP_ON],
				 "is no place for a representor",
				 "the pci_addr of a pf of the DPU of the same card, a BlueField");
}

static doca_error_t tie_all(struct drafts *drafts)
{
	doca_error_t result = DOCA_SUCCESS;

	for (uint32_t i = 0; i < drafts->num && result == DOCA_SUCCESS; i++) {
		if (drafts->all[i].function.type == CARD_PF)
			number_pf(drafts, &drafts->all[i]);
		else
			result = tie_to_pf(drafts, &drafts->all[i]);
	}
	for (uint32_t i = 0; i < drafts->num && result == DOCA_SUCCESS; i++)
		result = tie_representor(drafts, &drafts->all[i]);
	return result;
}

doca_error_t drafts_check(struct drafts *drafts)
{
	doca_error_t result = tie_all(drafts);

	if (result != DOCA_SUCCESS)
		return result;
	drafts_complete(drafts);
	return find_doubles(drafts);
}
