// Tools that answer at once: content of every kind, errors, logs, progress, schemas.

import * as host from 'witbox:mcp/host@0.1.0';
import { complete, embedded, fail, image, say, schema, text } from './outcomes.js';
import { SILENCE } from './samples.js';

export function defineBasicTools(define) {
  define('test_simple_text', 'Answers with one text', () =>
    say('This is a simple text response for testing.'),
  );
  define('test_image_content', 'Answers with an image', () => complete([image()]));
  define('test_audio_content', 'Answers with sound', () =>
    complete([{ tag: 'audio', val: { data: SILENCE, mimeType: 'audio/wav' } }]),
  );
  define('test_embedded_resource', 'Answers with an embedded resource', () =>
    complete([embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')]),
  );
  define('test_multiple_content_types', 'Answers with text, image and resource', () =>
    complete([
      text('Multiple content types test:'),
      image(),
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ]),
  );
  define('test_resource_link', 'Answers with a link to a resource', () =>
    complete([
      {
        tag: 'link',
        val: { uri: 'test://static-text', name: 'static-text', description: 'A text to follow' },
      },
    ]),
  );
  define('test_error_handling', 'Always fails', () =>
    fail('This tool intentionally returns an error for testing'),
  );
  define('test_tool_with_logging', 'Logs three messages while it works', () => {
    const log = (words) => host.log('info', JSON.stringify(words), undefined);
    log('Tool execution started');
    host.sleep(50);
    log('Tool processing data');
    host.sleep(50);
    log('Tool execution completed');
    return say('Tool with logging executed successfully');
  });
  define('test_logging_tool', 'Logs at two levels', () => {
    host.log('debug', '{"step":1}', 'fixture');
    host.log('error', '{"step":2}', 'fixture');
    return say('Logged');
  });
  define('test_tool_with_progress', 'Reports progress three times', () => {
    host.progress(0, 100, 'started');
    host.sleep(50);
    host.progress(50, 100, 'half way');
    host.sleep(50);
    host.progress(100, 100, 'done');
    return say('Tool with progress executed successfully');
  });
  define('test_reconnection', 'Lets go of its stream and goes on', () => {
    host.closeStream();
    host.sleep(100);
    return say('Reconnection test completed successfully');
  });
  define(
    'header_echo',
    'Says where it would run; the region travels as a header too',
    ({ args }) => say(`Region ${JSON.stringify(args.region ?? null)}`),
    {
      inputSchema: schema(
        {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          level: { type: 'integer', 'x-mcp-header': 'Level' },
          dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
        },
        [],
      ),
    },
  );
  define('json_schema_2020_12_tool', 'Has a schema with words of 2020-12', () => say('Fits'), {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  });
}
