import { readJsonBody } from '../json/read-json-body.js';
import { parseScript } from '../scripts/parse-script.js';
import { isScriptName } from '../scripts/script-name.js';
import { failed, type ControlCall, type ControlReply } from './control-reply.js';

/** Checks a script and puts it into the library. */
export function putScript({ argument, body, context }: ControlCall): ControlReply {
  if (body === null) return failed(413, 'The script is too long.');
  if (!isScriptName(argument)) return failed(400, `'${argument}' is no script name.`);
  const json = readJsonBody(body);
  if (!json.ok) return failed(400, json.refusal.message);
  const parsed = parseScript(json.value);
  if (!parsed.ok)
    return failed(400, `'${argument}' is no script: ${parsed.issues.join('; ')}`, parsed.issues);
  if (!context.library.put(argument, parsed.script)) return failed(409, 'There are too many scripts.');
  return { status: 200, json: { name: argument, model: `scripted:${argument}` } };
}

export function deleteScript({ argument, context }: ControlCall): ControlReply {
  return context.library.remove(argument)
    ? { status: 204 }
    : failed(404, `There is no script '${argument}'.`);
}

export function getScript({ argument, context }: ControlCall): ControlReply {
  const script = context.library.find(argument);
  return script === null ? failed(404, `There is no script '${argument}'.`) : { status: 200, json: script };
}

export function listScripts({ context }: ControlCall): ControlReply {
  return { status: 200, json: { scripts: context.library.names } };
}

/** OpenAI's list of models: one a script. */
export function listModels({ context }: ControlCall): ControlReply {
  const data = context.library.names.map((name) => ({
    id: `scripted:${name}`,
    object: 'model',
    created: 0,
    owned_by: 'offshoot-scripted',
  }));
  return { status: 200, json: { object: 'list', data } };
}
