// Tools that take long, as tasks where the client has tasks, and tools that change what is listed.

import * as host from 'witbox:mcp/host@0.1.0';
import { askName, field, has, NAME } from './forms.js';
import { ask, fail, form, say, schema } from './outcomes.js';

export function defineLongTools(define) {
  const AT_ONCE = { support: 'optional', atOnce: true };

  define('greet', 'Greets at once', ({ args }) => say(`Hello, ${args.name}!`), { inputSchema: schema(NAME) });
  define(
    'slow_compute',
    'Computes for some seconds',
    ({ args }) => {
      host.sleep((typeof args.seconds === 'number' ? args.seconds : 1) * 1_000);
      return say(`Computed ${args.label ?? 'it'}`);
    },
    { inputSchema: schema({ seconds: { type: 'number' }, label: { type: 'string' } }, []), task: AT_ONCE },
  );
  define(
    'failing_job',
    'Fails after a while',
    () => {
      host.sleep(200);
      return fail('The job failed');
    },
    { task: { support: 'required', atOnce: true } },
  );
  define(
    'protocol_error_job',
    'Breaks after a while',
    () => {
      host.sleep(50);
      throw { tag: 'failed', val: 'a detail that no client may see' };
    },
    { task: AT_ONCE },
  );
  define(
    'confirm_delete',
    'Asks before it deletes',
    (call) => {
      const file = String(call.args.filename);
      if (!has(call, 'confirm'))
        return ask({ confirm: form(`Really delete ${file}?`, { confirm: { type: 'boolean' } }) });
      return say(call.answers.confirm.action === 'accept' ? `Deleted ${file}` : `Kept ${file}`);
    },
    { inputSchema: schema({ filename: { type: 'string' } }), task: AT_ONCE },
  );
  define(
    'multi_input',
    'Asks two things at once',
    (call) => {
      const keys = Object.keys(call.answers);
      if (keys.length > 0) return say(`Got ${keys.sort().join(' and ')}`);
      return ask({
        first: form('First name?', NAME),
        second: form('Are you sure?', { confirm: { type: 'boolean' } }),
      });
    },
    { task: AT_ONCE },
  );
  define(
    'test_tool_with_task',
    'Asks for a name, then works on it for a while',
    (call) => {
      if (call.state !== undefined) {
        host.sleep(100);
        return say(`Worked for ${call.state}`);
      }
      const name = field(call, 'user_name', 'name');
      return typeof name === 'string' ? { tag: 'task', val: name } : ask({ user_name: askName() });
    },
    { task: { support: 'optional', atOnce: false } },
  );

  define('test_trigger_tool_change', 'Says that its tools have changed', () => {
    host.listsChanged();
    return say('Changed');
  });
  define('test_trigger_prompt_change', 'Says that its prompts have changed', () => {
    host.listsChanged();
    return say('Changed');
  });
  define('touch_watched', 'Changes the watched resource', () => {
    host.resourceChanged('test://watched-resource');
    return say('Touched');
  });
}
