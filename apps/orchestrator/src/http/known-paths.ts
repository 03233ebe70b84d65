import type { RouteOptions } from 'fastify';
import { EdgeCode, type Problem, problemOf } from './problem.js';

/** The paths of the API with their methods, for requests that the router finds no handler for. */
export class KnownPaths {
  private readonly methods = new Map<string, Set<string>>();

  add({ method, url }: Pick<RouteOptions, 'method' | 'url'>): void {
    const known = this.methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    this.methods.set(url, known);
  }

  /** What to send instead, and the methods that the path answers to: none when there is no such path. */
  problemFor(
    method: string,
    url: string,
  ): { readonly problem: Problem; readonly allowed: readonly string[] } {
    const path = url.split('?')[0] ?? '';
    const allowed = [...this.methods]
      .filter(([known]) => isOf(known, path))
      .flatMap(([, found]) => [...found]);
    if (allowed.length === 0) return { problem: noSuchPath, allowed };
    const detail = `This path does not take ${method}; it takes ${allowed.join(', ')}.`;
    return { problem: problemOf(EdgeCode.METHOD_NOT_ALLOWED, detail), allowed };
  }
}

/** The answer to a path that is none of ours, be it well formed or not. */
export const noSuchPath = problemOf(EdgeCode.NOT_FOUND, 'There is no such path.');

/** Whether a path is one of `/v1/agents/:id`. */
function isOf(known: string, path: string): boolean {
  const names = known.split('/');
  const parts = path.split('/');
  return (
    names.length === parts.length &&
    names.every((name, at) => (name.startsWith(':') ? parts[at] !== '' : name === parts[at]))
  );
}
