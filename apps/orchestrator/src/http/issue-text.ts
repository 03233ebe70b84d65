import { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What is wrong with a part of a request, in words for whoever sent it: what it must be, and which keys are known. */
export function issueText(issue: Issue, schema: z.ZodType): string {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownKeys(schema, issue.path);
      return known === null ? issue.message : `${issue.message}; known are ${known.join(', ')}`;
    }
    case 'invalid_type':
      return typeText(issue);
    default:
      return issue.message;
  }
}

/** Messages that a schema gives itself stay. */
function typeText({ expected, message }: Issue & { readonly code: 'invalid_type' }): string {
  if (!message.startsWith('Invalid input: expected')) return message;
  const article = /^[aeio]/.test(expected) ? 'an' : 'a';
  const isMissing = message.endsWith('received undefined');
  return `must be ${article} ${expected}${isMissing ? ', and is missing' : ''}`;
}

function knownKeys(schema: z.ZodType, path: Issue['path']): readonly string[] | null {
  let part: unknown = schema;
  for (const step of path) part = memberOf(part, step);
  const object = withoutWrap(part);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : null;
}

function memberOf(schema: unknown, step: PropertyKey): unknown {
  const object = withoutWrap(schema);
  if (object instanceof z.ZodObject) return Reflect.get(object.shape, step);
  if (object instanceof z.ZodArray) return object.element;
  return object instanceof z.ZodRecord ? object.valueType : undefined;
}

function withoutWrap(schema: unknown): unknown {
  let part = schema;
  while (part instanceof z.ZodOptional || part instanceof z.ZodExactOptional || part instanceof z.ZodDefault)
    part = part.unwrap();
  return part;
}
