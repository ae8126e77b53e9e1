/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON file that sets up the virtual cards: read whole and strictly, and what is wrong with it
 * said in one line that names file, line, key, value and what is allowed.
 */
#ifndef DEVICE_FILE_H_
#define DEVICE_FILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

struct json_object;

struct file {
	const char *path;     /* borrowed */
	const char *named_by; /* who asks for it: "variable SOFTDOCA_CONFIG"; borrowed */
	char *problem;	      /* SETTINGS_PROBLEM_SIZE bytes for that line; borrowed */
	char *text;	      /* owned */
	size_t len;
	struct json_object *root; /* owned; an object */
};

/* A value in the file, and where it stands. */
struct spot {
	struct json_object *value; /* borrowed from the file; NULL: it is not there */
	size_t key;		   /* offsets */
	size_t at;
};

/*
 * Read a regular file, never waiting for it. On any error INVALID_VALUE with a problem, or
 * NO_MEMORY with one, and nothing to release.
 */
doca_error_t file_read(const char *path, const char *named_by, char *problem, struct file *file);

/* The same of a text, which a NUL follows; it is taken over. */
doca_error_t file_parse(struct file *file);

void file_release(struct file *file);

struct spot file_root(const struct file *file);

/* The line of an offset, from 1. */
unsigned int file_line(const struct file *file, size_t offset);

/* All of these write the problem and give INVALID_VALUE. */
doca_error_t file_refuse(const struct file *file, size_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
doca_error_t file_refuse_value(const struct file *file, const char *key, const struct spot *spot,
			       const char *why, const char *allowed);

/* What stands at an offset, printable, its middle cut to size bytes with its NUL; its length. */
size_t file_show(const struct file *file, size_t offset, char *shown, size_t size);

/*
 * Where each of the names stands in an object, which may have no other, and none twice. Of the
 * first num_told one is told to whoever wrote another.
 */
doca_error_t file_members(const struct file *file, const struct spot *object,
			  const char *const *names, size_t num_names, size_t num_told,
			  struct spot *spots);

/* A text without a NUL in it; NULL: it is none. */
const char *file_text(struct json_object *value);

struct key {
	const char *name;
	/* Read a value into out; false: it is wrong. */
	bool (*read)(const struct key *key, struct json_object *value, void *out);
	size_t offset; /* of where it goes */
	size_t size;
	uint64_t min; /* of a number */
	uint64_t max;
	const char *allowed; /* of a word: the words; NULL: the numbers min to max */
};

/* A key that goes into a member of a struct: by a reader, or as a number; an object or array. */
#define KEY(key, how, struct_type, member, words)                                                  \
	{                                                                                          \
		.name = key, .read = how, .offset = offsetof(struct_type, member),                 \
		.size = sizeof(((struct_type *)NULL)->member), .allowed = words                    \
	}
#define KEY_NUMBER(key, struct_type, member, least, most)                                          \
	{                                                                                          \
		.name = key, .read = key_number, .offset = offsetof(struct_type, member),          \
		.size = sizeof(((struct_type *)NULL)->member), .min = least, .max = most           \
	}
#define KEY_NESTED(key, how, least, most, words)                                                   \
	{                                                                                          \
		.name = key, .read = how, .min = least, .max = most, .allowed = words              \
	}

/* INVALID_VALUE and the problem. */
doca_error_t file_refuse_missing(const struct file *file, const struct spot *object,
				 const struct key *key);

/* The most keys that an object has. */
#define FILE_MAX_KEYS 32

/*
 * Read an object by a table of its keys into a struct. The first num_required must be there; of the
 * others what is not there is left as it is.
 */
doca_error_t file_read_object(const struct file *file, const struct spot *object,
			      const struct key *keys, size_t num_keys, size_t num_required,
			      void *out, struct spot *spots);

/* Readers of values: numbers of size bytes, and what the names say. */
bool key_number(const struct key *key, struct json_object *value, void *out);
bool key_count(const struct key *key, struct json_object *value, void *out); /* "2M" or a number */
bool key_flag(const struct key *key, struct json_object *value, void *out);
bool key_word(const struct key *key, struct json_object *value, void *out); /* its place: an enum */
bool key_name(const struct key *key, struct json_object *value, void *out); /* visible ASCII */
bool key_text(const struct key *key, struct json_object *value, void *out); /* not read */
bool key_pci_addr(const struct key *key, struct json_object *value, void *out);
bool key_mac_addr(const struct key *key, struct json_object *value, void *out);
bool key_ipv4_addr(const struct key *key, struct json_object *value, void *out);
bool key_ipv6_addr(const struct key *key, struct json_object *value, void *out);
bool key_object(const struct key *key, struct json_object *value, void *out); /* not read */
bool key_array(const struct key *key, struct json_object *value, void *out);  /* not read */

#endif /* DEVICE_FILE_H_ */
