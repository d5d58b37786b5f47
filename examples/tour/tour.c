// Everything a component can do in MCP, in a few kilobytes of C: tools with progress, logs, questions, tasks and content
// of every kind, prompts, resources, completion. `witbox check --self` serves it. An instance lives for one call, so
// nothing is ever freed, and results may stand in static memory.

#include "abi.h"

extern unsigned char __heap_base;
static uintptr_t next;

EXPORT("cabi_realloc") void *cabi_realloc(void *old, size_t old_size, size_t align, size_t size) {
  if (next == 0) next = (uintptr_t)&__heap_base;
  next = (next + align - 1) & ~(uintptr_t)(align - 1);
  unsigned char *block = (unsigned char *)next;
  next += size;
  size_t room = __builtin_wasm_memory_size(0) * 65536;
  if (next > room && __builtin_wasm_memory_grow(0, (next - room) / 65536 + 1) == (size_t)-1) __builtin_trap();
  for (size_t i = 0; i < old_size; i++) block[i] = ((unsigned char *)old)[i];
  return block;
}

static bool same(text_t one, text_t other) {
  if (one.size != other.size) return false;
  for (size_t i = 0; i < one.size; i++)
    if (one.at[i] != other.at[i]) return false;
  return true;
}

static text_t join(text_t a, text_t b, text_t c) {
  char *all = cabi_realloc(NULL, 0, 1, a.size + b.size + c.size);
  size_t at = 0;
  for (size_t i = 0; i < a.size; i++) all[at++] = a.at[i];
  for (size_t i = 0; i < b.size; i++) all[at++] = b.at[i];
  for (size_t i = 0; i < c.size; i++) all[at++] = c.at[i];
  return (text_t){all, at};
}

// What stands after "key": in JSON that the host has checked: a string without its quotes, or nothing.
static text_t member(text_t json, text_t quoted_key) {
  for (size_t i = 0; i + quoted_key.size < json.size; i++) {
    if (!same((text_t){json.at + i, quoted_key.size}, quoted_key)) continue;
    size_t from = i + quoted_key.size;
    while (from < json.size && json.at[from] == ' ') from++;
    if (from >= json.size || json.at[from++] != '"') return TEXT("");
    size_t end = from;
    while (end < json.size && json.at[end] != '"') end += json.at[end] == '\\' ? 2 : 1;
    return (text_t){json.at + from, end - from};
  }
  return TEXT("");
}

// Tools

#define READ_ONLY {true, {.read_only = {true, true}, .destructive = {true, false}, .open_world = {true, false}}}
#define NOTHING_NEEDED TEXT("{\"type\":\"object\",\"additionalProperties\":false}")
#define TEXT_SCHEMA(more) "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"" more "}},\"required\":[\"text\"],\"additionalProperties\":false}"

static const tool_t TOOLS[] = {
    {.name = TEXT("echo"),
     .description = SOME(TEXT("Gives back a text, as structure and as text")),
     .input_schema = TEXT(TEXT_SCHEMA(",\"x-mcp-header\":\"Text\"")),
     .output_schema = SOME(TEXT(TEXT_SCHEMA(""))),
     .annotations = READ_ONLY},
    {.name = TEXT("count"),
     .description = SOME(TEXT("Counts to three in a fifth of a second, with progress and logs")),
     .input_schema = NOTHING_NEEDED,
     .annotations = READ_ONLY},
    {.name = TEXT("greet"),
     .description = SOME(TEXT("Asks for a name, and greets")),
     .input_schema = TEXT(TEXT_SCHEMA(",\"examples\":[\"Hello\"]")),
     .annotations = READ_ONLY},
    {.name = TEXT("think"),
     .description = SOME(TEXT("Asks the model of the client")),
     .input_schema = TEXT(TEXT_SCHEMA("")),
     .annotations = READ_ONLY},
    {.name = TEXT("look-around"),
     .description = SOME(TEXT("Asks for the roots of the client")),
     .input_schema = NOTHING_NEEDED,
     .annotations = READ_ONLY},
    {.name = TEXT("show"),
     .description = SOME(TEXT("Shows a picture, a sound, a link and an embedded resource")),
     .input_schema = NOTHING_NEEDED,
     .annotations = READ_ONLY},
    {.name = TEXT("touch"),
     .description = SOME(TEXT("Changes the note")),
     .input_schema = NOTHING_NEEDED},
    {.name = TEXT("work"),
     .description = SOME(TEXT("Works for a tenth of a second, as a task where the client has tasks")),
     .input_schema = NOTHING_NEEDED,
     .annotations = READ_ONLY,
     .task = SOME(((task_info){0, true}))},
    {.name = TEXT("fail"),
     .description = SOME(TEXT("Fails, and says so")),
     .input_schema = NOTHING_NEEDED,
     .annotations = READ_ONLY},
};

EXPORT("witbox:mcp/tools@0.1.0#list-tools") const list_t *list_tools(void) {
  static list_t tools;
  tools = LIST(TOOLS);
  return &tools;
}

static const unsigned char PIXEL[] = {
    0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0,
    0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, 'I', 'D', 'A', 'T', 0x78, 0x9c, 0x63, 0xf8, 0xff, 0xff, 0xff, 0x7f, 0, 0x09,
    0xfb, 0x03, 0xfd, 0x05, 0x43, 0x45, 0xca, 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
static const unsigned char SOUND[] = {'R', 'I', 'F', 'F', 38, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0,
                                      0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0, 'd', 'a', 't', 'a',
                                      2, 0, 0, 0, 0x80, 0x80};

#define NOTE_URI TEXT("tour:///note")
#define NOTE_TEXT TEXT("A note for whoever comes by\n")
#define PLAIN SOME(TEXT("text/plain"))
static const resource_info RESOURCES[] = {
    {.uri = NOTE_URI, .name = TEXT("note"), .description = SOME(TEXT("Changes when it is touched")), .mime_type = PLAIN},
    {.uri = TEXT("tour:///pixel"), .name = TEXT("pixel"), .mime_type = SOME(TEXT("image/png")), .size = {true, sizeof PIXEL}},
};

static tool_result result;

static const tool_result *complete(const content_t *content, size_t count, bool is_error) {
  result = (tool_result){0};
  result.outcome.complete.content = (list_t){content, count};
  result.outcome.complete.is_error = is_error;
  return &result;
}

static const tool_result *say(text_t words, bool is_error) {
  static content_t content;
  content = (content_t){.tag = CONTENT_TEXT, .text = {.text = words}};
  return complete(&content, 1, is_error);
}

static const tool_result *ask(question_t question) {
  static question_t asked;
  asked = question;
  result = (tool_result){0};
  result.outcome.tag = OUTCOME_INPUT_REQUIRED;
  result.outcome.input = (input_required){.questions = {&asked, 1}, .state = SOME(TEXT("asked"))};
  return &result;
}

static void log_words(text_t json) { host_log(1, json.at, json.size, 1, "tour", 4); }

static const tool_result *count_to_three(void) {
  static const char *const words[] = {"one", "two", "three"};
  log_words(TEXT("\"counting\""));
  for (int step = 0; step < 3; step++) {
    if (host_is_cancelled()) return say(TEXT("Cancelled"), true);
    host_sleep(70);
    host_progress(step + 1, 1, 3, 1, words[step], step == 2 ? 5 : 3);
  }
  log_words(TEXT("\"counted\""));
  return say(TEXT("3"), false);
}

static const tool_result *show(void) {
  static content_t shown[4];
  shown[0] = (content_t){.tag = CONTENT_IMAGE, .media = {.data = LIST(PIXEL), .mime_type = TEXT("image/png")}};
  shown[1] = (content_t){.tag = CONTENT_AUDIO, .media = {.data = LIST(SOUND), .mime_type = TEXT("audio/wav")}};
  shown[2] = (content_t){.tag = CONTENT_LINK, .link = RESOURCES[1]};
  shown[3] = (content_t){.tag = CONTENT_EMBEDDED,
                         .embedded = {.contents = {.uri = NOTE_URI, .mime_type = PLAIN, .body = {0, NOTE_TEXT}}}};
  return complete(shown, 4, false);
}

EXPORT("witbox:mcp/tools@0.1.0#call-tool")
const tool_result *call_tool(const char *name_at, size_t name_size, const char *arguments_at, size_t arguments_size,
                             const char *meta, size_t meta_size, int32_t has_state, const char *state,
                             size_t state_size, const pair_t *answers, size_t answer_count) {
  (void)meta, (void)meta_size, (void)has_state, (void)state, (void)state_size;
  text_t name = {name_at, name_size}, arguments = {arguments_at, arguments_size};
  text_t text = member(arguments, TEXT("\"text\":"));
  text_t answer = answer_count > 0 ? answers[0].value : TEXT("");
  if (same(name, TEXT("echo"))) {
    text_t structured = join(TEXT("{\"text\":\""), text, TEXT("\"}"));
    say(structured, false);
    result.outcome.complete.structured = (text_option)SOME(structured);
    return &result;
  }
  if (same(name, TEXT("count"))) return count_to_three();
  if (same(name, TEXT("greet"))) {
    question_t who = {.name = TEXT("who"), .question = {.tag = QUESTION_FORM}};
    who.question.form.message = TEXT("What is your name?");
    who.question.form.schema =
        TEXT("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}");
    if (answer_count == 0) return ask(who);
    text_t given = member(answer, TEXT("\"name\":"));
    return say(join(text, TEXT(", "), given.size > 0 ? given : TEXT("whoever you are")), false);
  }
  if (same(name, TEXT("think"))) {
    question_t model = {.name = TEXT("thought"), .question = {.tag = QUESTION_SAMPLE}};
    model.question.sample = join(TEXT("{\"maxTokens\":100,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\""),
                                 text, TEXT("\"}}]}"));
    return answer_count == 0 ? ask(model) : say(answer, false);
  }
  if (same(name, TEXT("look-around"))) {
    question_t roots = {.name = TEXT("roots"), .question = {.tag = QUESTION_ROOTS}};
    return answer_count == 0 ? ask(roots) : say(answer, false);
  }
  if (same(name, TEXT("show"))) return show();
  if (same(name, TEXT("touch"))) {
    host_resource_changed(NOTE_URI.at, NOTE_URI.size);
    return say(TEXT("Touched"), false);
  }
  if (same(name, TEXT("work"))) {
    host_sleep(100);
    return say(TEXT("Worked"), false);
  }
  if (same(name, TEXT("fail"))) return say(TEXT("It failed, as it should"), true);
  result = (tool_result){.failed = 1, .failure = {.tag = FAILURE_UNKNOWN}};
  return &result;
}

// Prompts, and completion of their arguments

static const prompt_argument LANGUAGE[] = {
    {.name = TEXT("language"), .description = SOME(TEXT("Into which language")), .required = true}};
static const prompt_t PROMPTS[] = {
    {.name = TEXT("translate"), .description = SOME(TEXT("Translates the note")), .arguments = LIST(LANGUAGE)}};
static const text_t LANGUAGES[] = {TEXT("French"), TEXT("German"), TEXT("Greek"), TEXT("Italian")};

EXPORT("witbox:mcp/prompts@0.1.0#list-prompts") const list_t *list_prompts(void) {
  static list_t prompts;
  prompts = LIST(PROMPTS);
  return &prompts;
}

EXPORT("witbox:mcp/prompts@0.1.0#get-prompt")
const prompt_result *get_prompt(const char *name_at, size_t name_size, const pair_t *arguments, size_t count,
                                int32_t has_state, const char *state, size_t state_size, const pair_t *answers,
                                size_t answer_count) {
  (void)has_state, (void)state, (void)state_size, (void)answers, (void)answer_count;
  static prompt_result got;
  static prompt_message messages[2];
  got = (prompt_result){.failed = 1, .failure = {.tag = FAILURE_UNKNOWN}};
  if (!same((text_t){name_at, name_size}, TEXT("translate"))) return &got;
  if (count == 0) {
    got.failure = (failure_t){FAILURE_INVALID, TEXT("The language is missing")};
    return &got;
  }
  text_t request = join(TEXT("Translate this note into "), arguments[0].value, TEXT(":"));
  messages[0].content = (content_t){.tag = CONTENT_TEXT, .text = {.text = request}};
  messages[1].content = (content_t){
      .tag = CONTENT_EMBEDDED, .embedded = {.contents = {.uri = NOTE_URI, .mime_type = PLAIN, .body = {0, NOTE_TEXT}}}};
  got = (prompt_result){0};
  got.outcome.complete.messages = LIST(messages);
  return &got;
}

EXPORT("witbox:mcp/completion@0.1.0#complete")
const completions_t *complete_argument(int32_t kind, const char *reference, size_t reference_size, const char *name,
                                       size_t name_size, const char *value, size_t value_size, const pair_t *known,
                                       size_t known_count) {
  (void)kind, (void)reference, (void)reference_size, (void)known, (void)known_count;
  static text_t found[4];
  static completions_t completions;
  size_t count = 0;
  bool is_language = same((text_t){name, name_size}, TEXT("language"));
  for (size_t i = 0; is_language && i < 4; i++)
    if (LANGUAGES[i].size >= value_size && same((text_t){LANGUAGES[i].at, value_size}, (text_t){value, value_size}))
      found[count++] = LANGUAGES[i];
  completions = (completions_t){.values = {found, count}, .total = {true, count}};
  return &completions;
}

// Resources

static const resource_template TEMPLATES[] = {
    {.uri_template = TEXT("tour:///page/{language}"), .name = TEXT("page"), .mime_type = PLAIN}};

EXPORT("witbox:mcp/resources@0.1.0#list-resources") const list_t *list_resources(void) {
  static list_t resources;
  resources = LIST(RESOURCES);
  return &resources;
}

EXPORT("witbox:mcp/resources@0.1.0#list-templates") const list_t *list_templates(void) {
  static list_t templates;
  templates = LIST(TEMPLATES);
  return &templates;
}

EXPORT("witbox:mcp/resources@0.1.0#read")
const read_result *read_resource(const char *uri_at, size_t uri_size, int32_t has_range, int64_t start, int64_t length) {
  (void)has_range, (void)start, (void)length;
  static read_result got;
  static resource_contents contents;
  text_t uri = {uri_at, uri_size}, page = TEXT("tour:///page/");
  got = (read_result){0};
  contents = (resource_contents){.uri = uri, .mime_type = PLAIN};
  if (same(uri, NOTE_URI)) contents.body.value = NOTE_TEXT;
  else if (same(uri, RESOURCES[1].uri)) {
    contents.mime_type = RESOURCES[1].mime_type;
    contents.body.tag = 1;
    contents.body.value = (text_t){(const char *)PIXEL, sizeof PIXEL};
  } else if (uri.size > page.size && same((text_t){uri.at, page.size}, page))
    contents.body.value = join(TEXT("A page in "), (text_t){uri.at + page.size, uri.size - page.size}, TEXT("\n"));
  else return &got;
  got.read.some = true;
  got.read.value.contents = (list_t){&contents, 1};
  return &got;
}
