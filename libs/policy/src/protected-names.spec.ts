import { describe, expect, it } from '@jest/globals';
import { foldName, isProtectedPath, protectedNames } from './protected-names.js';

describe('a protected path', () => {
  it.each([...protectedNames])('is %s, at the root and at any depth', (name) => {
    expect([name, `a/${name}`, `a/${name}/b`, `a\\${name}\\b`].map(isProtectedPath)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it.each(['.GIT', 'ＡGENTS.md', '.g\u200bit', '.git. ', 'Claude.MD.'])(
    'is known in another spelling: %j',
    (name) => {
      expect(isProtectedPath(`src/${name}`)).toBe(true);
    },
  );

  it.each(['', '.', '..', 'git', '.github', '.gitignore', 'docs/agents.md.txt', 'qwen.mdx'])(
    'is not %j',
    (path) => {
      expect(isProtectedPath(path)).toBe(false);
    },
  );

  it('is folded without losing names that are only dots', () => {
    expect([foldName('..'), foldName('.')]).toEqual(['..', '.']);
  });
});
