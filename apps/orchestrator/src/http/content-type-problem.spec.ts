import { describe, expect, it } from '@jest/globals';
import { contentTypeProblem } from './content-type-problem.js';

const ofType = (type?: string) =>
  contentTypeProblem({
    headers: { 'content-length': '2', ...(type === undefined ? {} : { 'content-type': type }) },
  });

describe('the content type of a body', () => {
  it('must be JSON, and a form is told so with 415', () => {
    expect(ofType('application/x-www-form-urlencoded')).toMatchObject({
      status: 415,
      code: 'CONTENT_TYPE_UNSUPPORTED',
      detail:
        'This request has a body of type "application/x-www-form-urlencoded"; send Content-Type: application/json.',
    });
    expect(ofType()?.detail).toBe('This request has a body of no type; send Content-Type: application/json.');
    const chunked = { headers: { 'transfer-encoding': 'chunked', 'content-type': 'text/plain' } };
    expect(contentTypeProblem(chunked)?.status).toBe(415);
  });

  it('may carry parameters and any case, and is not asked for without a body', () => {
    expect(ofType('Application/JSON; charset=utf-8')).toBeNull();
    expect(contentTypeProblem({ headers: {} })).toBeNull();
    expect(contentTypeProblem({ headers: { 'content-length': '0' } })).toBeNull();
  });
});
