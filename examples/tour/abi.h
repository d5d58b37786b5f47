// Types of witbox:mcp (wit/mcp.wit) as the canonical ABI lays them out in memory, which is how C lays out these structs:
// an option or a variant is a byte that says which, and a union; a list or a text is a pointer and a length.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct { const char *at; size_t size; } text_t;
typedef struct { const void *at; size_t size; } list_t;
#define OPTION(type) struct { bool some; type value; }
#define TEXT(words) ((text_t){words, sizeof(words) - 1})
#define SOME(what) {true, what}
#define LIST(array) ((list_t){array, sizeof(array) / sizeof(array[0])})

typedef OPTION(text_t) text_option;
typedef struct { text_t name, value; } pair_t;

typedef struct { list_t audience; OPTION(double) priority; text_option last_modified; } annotations_t;
typedef OPTION(annotations_t) annotations_option;
typedef struct { text_t text; annotations_option annotations; } text_content;
typedef struct { list_t data; text_t mime_type; annotations_option annotations; } media_content;
typedef struct { text_t uri; text_option mime_type; struct { uint8_t tag; text_t value; } body; } resource_contents;
typedef struct { resource_contents contents; annotations_option annotations; } embedded_resource;
typedef struct {
  text_t uri, name;
  text_option title, description, mime_type;
  OPTION(uint64_t) size;
  annotations_option annotations;
} resource_info;
enum { CONTENT_TEXT, CONTENT_IMAGE, CONTENT_AUDIO, CONTENT_LINK, CONTENT_EMBEDDED };
typedef struct {
  uint8_t tag;
  union { text_content text; media_content media; resource_info link; embedded_resource embedded; };
} content_t;

enum { QUESTION_FORM, QUESTION_URL, QUESTION_SAMPLE, QUESTION_ROOTS };
typedef struct {
  text_t name;
  struct { uint8_t tag; union { struct { text_t message, schema; } form; text_t sample; text_t url[3]; }; } question;
} question_t;
typedef struct { list_t questions; text_option state; } input_required;
enum { FAILURE_UNKNOWN, FAILURE_INVALID, FAILURE_FAILED };
typedef struct { uint8_t tag; text_t words; } failure_t;

typedef OPTION(bool) bool_option;
typedef struct { text_option title; bool_option read_only, destructive, idempotent, open_world; } tool_annotations;
typedef struct { uint8_t support; bool at_once; } task_info;
typedef struct {
  text_t name;
  text_option title, description;
  text_t input_schema;
  text_option output_schema;
  OPTION(tool_annotations) annotations;
  list_t icons;
  OPTION(task_info) task;
} tool_t;
enum { OUTCOME_COMPLETE, OUTCOME_INPUT_REQUIRED, OUTCOME_TASK };
typedef struct {
  uint8_t failed;
  union {
    struct {
      uint8_t tag;
      union { struct { list_t content; text_option structured; bool is_error; } complete; input_required input; text_option task; };
    } outcome;
    failure_t failure;
  };
} tool_result;

typedef struct { text_t name; text_option title, description; bool required; } prompt_argument;
typedef struct { text_t name; text_option title, description; list_t arguments, icons; } prompt_t;
typedef struct { uint8_t role; content_t content; } prompt_message;
typedef struct {
  uint8_t failed;
  union {
    struct { uint8_t tag; union { struct { text_option description; list_t messages; } complete; input_required input; }; } outcome;
    failure_t failure;
  };
} prompt_result;

typedef struct { text_t uri_template, name; text_option title, description, mime_type; } resource_template;
typedef struct {
  uint8_t failed;
  union { OPTION(struct { list_t contents; OPTION(uint64_t) total; }) read; failure_t failure; };
} read_result;
typedef struct { list_t values; OPTION(uint32_t) total; bool has_more; } completions_t;

#define HOST(name) __attribute__((import_module("witbox:mcp/host@0.1.0"), import_name(name)))
HOST("log") void host_log(int32_t level, const char *data, size_t size, int32_t has_logger, const char *logger, size_t);
HOST("progress") void host_progress(double now, int32_t has_total, double total, int32_t has_words, const char *, size_t);
HOST("is-cancelled") int32_t host_is_cancelled(void);
HOST("sleep") void host_sleep(int32_t milliseconds);
HOST("resource-changed") void host_resource_changed(const char *uri, size_t size);

#define EXPORT(name) __attribute__((export_name(name)))
