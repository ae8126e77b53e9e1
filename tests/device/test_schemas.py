# SPDX-License-Identifier: Apache-2.0
"""Schemas of topologies and settings, and the library's reader: they accept and refuse the same.

test_schemas.py SOURCE_ROOT READER: the program read_files
"""
import copy
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
READER = sys.argv[2]
sys.path.insert(0, str(ROOT / "tests/abi"))

import tap

try:
    import jsonschema
except ImportError:
    sys.exit(f"{sys.executable} has no jsonschema: install python3-jsonschema")

EXAMPLES = sorted((ROOT / "share/topologies").glob("*.json"))
# What no schema can say, and the reader does.
BEYOND = (
    "which no pf",
    "no pf of",
    "is not that of the pf",
    "its pf is too small for",
    "is no place for a representor",
    "has, too",
    "this CPU lacks",
)
# In place of any value.
ODD = [None, True, False, -1, 0, 1.5, 10**25, "", "0", "x y", "\u00e9", "x" * 300, [], {}, [1]]


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


SCHEMAS = {kind: load(ROOT / f"share/schemas/{kind}.schema.json") for kind in ("topology", "config")}


def pf(side, addr, **more):
    return {"side": side, "type": "pf", "pci_addr": addr, **more}


# Every key that there is, and every kind of function.
TOPOLOGY = {
    "$schema": "topology.schema.json",
    "schema_version": 1,
    "cards": [
        {
            "model": "bluefield3",
            "limits": {"max_buf_size": "2M", "max_buf_list_len": 64, "max_num_tasks": 65536},
            "settings": {
                "ERRORS": "hardware",
                "MAX_BUF_SIZE": 4096,
                "MAX_BUF_LIST_LEN": "1K",
                "QUEUE_DEPTH": 32,
                "REACH": "cma",
                "CONNECT_TIMEOUT": "1.5",
                "DEADLINE": 0.5,
            },
            "functions": [
                pf("dpu", "0000:03:00.0"),
                pf(
                    "host",
                    "0000:b1:00.0",
                    ibdev_name="mlx5_2",
                    iface_name="ens1",
                    iface_index=9,
                    mac_addr="02:00:00:00:00:01",
                    ipv4_addr="192.0.2.1",
                    ipv6_addr="2001:db8::1",
                    vhca_id=5,
                    active_rate=25,
                    uplink_ib_port=1,
                    host_index=0,
                    pf_index=0,
                    total_vfs=8,
                    is_hotplug=False,
                    vuid="V1",
                    data_direct_pci_addr="0000:c1:00.0",
                    mtu=9000,
                    state="active",
                    representor={"on": "0000:03:00.0", "iface_name": "r", "iface_index": 8, "ib_port": 4},
                ),
                pf("host", "0000:b1:00.1", lid=5, host_index=1),
                {"side": "host", "type": "vf", "pci_addr": "0000:b1:00.2", "vf_index": 3, "pf_index": 0},
                {"side": "host", "type": "sf", "pci_addr": "0000:b1:00.0", "sf_index": 4},
                {
                    "side": "dpu",
                    "type": "sf",
                    "pci_addr": "0000:03:00.0",
                    "sf_index": 4,
                    "representor": {"on": "0000:03:00.0"},
                },
            ],
        }
    ],
}
CONFIG = {
    "$schema": "config.schema.json",
    "DEVICE": "bluefield2",
    "ROLE": "both",
    "ERRORS": "documented",
    "MAX_BUF_SIZE": "2M",
    "MAX_BUF_LIST_LEN": 64,
    "QUEUE_DEPTH": 4,
    "ENGINE": "workers:2",
    "KERNEL": "auto",
    "REACH": "auto",
    "LISTEN": "",
    "ADVERTISE": "",
    "RUNTIME_DIR": "/run",
    "ALLOW_UIDS": "1,2",
    "CONNECT_TIMEOUT": 60,
    "DEADLINE": "1",
}


def parts(value, schema, path=()):
    """Each value in a document with its place and its schema."""
    yield path, value, schema
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(inner, schema["properties"][key], path + (key,))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from parts(inner, schema["items"], path + (index,))


def changed(document, path, change):
    """A copy in which what stands at a place was given to change(its parent, its key)."""
    made = copy.deepcopy(document)
    place = made
    for key in path[:-1]:
        place = place[key]
    change(place, path[-1])
    return made


def put(value):
    return lambda parent, key: parent.__setitem__(key, value)


def remove(parent, key):
    del parent[key]


def values_for(schema):
    """Where a schema of a value ends, and just beyond."""
    found = list(ODD)
    for one in [schema] + schema.get("anyOf", []):
        found += one.get("enum", []) + [word + "x" for word in one.get("enum", [])]
        if one.get("type") == "integer":
            found += [one["minimum"], one["minimum"] - 1, one["maximum"], one["maximum"] + 1]
        if "maxLength" in one:
            found += ["/" + "x" * (one["maxLength"] - 1), "/" + "x" * one["maxLength"]]
            found += ["x" * one["maxLength"], "x" * (one["maxLength"] + 1)]
    return found


def variants(document, schema):
    yield document
    for path, value, inner in parts(document, schema):
        if isinstance(value, dict):
            for key in ("", "other", "Side", "x" * 100):
                yield changed({"": document}, ("",) + path + (key,), put(1))[""]
            for key in inner["properties"]:
                if key not in value:
                    for odd in (1, "x"):
                        yield changed({"": document}, ("",) + path + (key,), put(odd))[""]
        if path:
            for other in values_for(inner):
                yield changed(document, path, put(other))
            yield changed(document, path, remove)


def reader_says(kind, documents):
    lines = "".join(f"{kind} {json.dumps(document)}\n" for document in documents)
    return tap.succeeds([READER], input=lines).splitlines()


def schema_accepts(kind, document):
    validator = jsonschema.Draft202012Validator(
        SCHEMAS[kind], format_checker=jsonschema.FormatChecker(["ipv4", "ipv6"])
    )
    return validator.is_valid(document)


def agree(kind, document):
    documents = list(variants(document, SCHEMAS[kind]))
    said = reader_says(kind, documents)
    assert len(said) == len(documents), f"{len(said)} answers to {len(documents)} files"
    assert said[0] == "accepted", said[0]
    num_accepted = 0
    for made, problem in zip(documents, said):
        accepted = schema_accepts(kind, made)
        num_accepted += accepted
        if accepted != (problem == "accepted") and not (accepted and any(text in problem for text in BEYOND)):
            raise AssertionError(f"the schema {'accepts' if accepted else 'refuses'}: {problem}\n{json.dumps(made)}")
    assert 20 < num_accepted < len(documents) - 100, f"{num_accepted} of {len(documents)} are right"


def both_are_schemas_that_describe_every_key():
    def look(schema):
        for key, inner in schema.get("properties", {}).items():
            assert inner is False or inner.get("description"), f"{key} has no description"
            if inner is not False:
                look(inner)
        if "items" in schema:
            look(schema["items"])

    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)
        look(schema)


def a_card_has_the_words_of_the_settings():
    card = SCHEMAS["topology"]["properties"]["cards"]["items"]["properties"]["settings"]["properties"]
    of_config = SCHEMAS["config"]["properties"]
    assert card == {key: of_config[key] for key in card}


def each_example_is_accepted_by_both():
    documents = [load(path) for path in EXAMPLES]
    assert len(documents) == 3
    assert set(reader_says("topology", documents)) == {"accepted"}
    assert all(schema_accepts("topology", document) for document in documents)


def schema_and_reader_of_topologies_agree():
    agree("topology", TOPOLOGY)


def schema_and_reader_of_settings_agree():
    agree("config", CONFIG)


def every_key_of_the_schemas_is_tried():
    tried = {path[-1] for path, _, _ in parts(TOPOLOGY, SCHEMAS["topology"]) if path}

    def keys(schema):
        for key, inner in schema.get("properties", {}).items():
            yield key
            yield from keys(inner)
        if "items" in schema:
            yield from keys(schema["items"])

    tap.same({key for key in tried if isinstance(key, str)}, set(keys(SCHEMAS["topology"])), "keys")
    tap.same(CONFIG, SCHEMAS["config"]["properties"], "settings")


tap.run(
    [
        both_are_schemas_that_describe_every_key,
        a_card_has_the_words_of_the_settings,
        each_example_is_accepted_by_both,
        schema_and_reader_of_topologies_agree,
        schema_and_reader_of_settings_agree,
        every_key_of_the_schemas_is_tried,
    ]
)
