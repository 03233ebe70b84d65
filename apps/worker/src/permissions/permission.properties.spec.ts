import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LiveTool } from '#agents';
import { rawForm, type ToolIdentity, wireName } from '#policy';
import { decidePermission } from './permission.js';
import { matchesWide, noOperatorRules, type OperatorRule } from './permission-rules.js';
import type { CallTarget } from './protected-paths.js';

// Small alphabets on purpose: rules that just match, and rules that just do not, are the rule.
const part = fc.string({ unit: fc.constantFrom('a', 'B', '_', '__', '.', '*', '研'), maxLength: 4 });
const path = fc.constantFrom('a', 'a/b', 'A/b.ts', '.git', '.git/config', 'src', 'src/a.ts');
const mcpTool = fc.record({ server: part, tool: part });
const shape = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => ` ${text} `,
  (text: string) => `${text}*`,
  (text: string) => `${text}(x)`,
  (text: string) => text.slice(0, -1),
);
const named = (tool: ToolIdentity & { server: string }) =>
  fc.constantFrom(
    rawForm(tool),
    wireName(tool),
    `mcp__${tool.server}`,
    `mcp__${tool.server}__*`,
    'mcp__*',
    '*',
  );
const ruleFor = (tool: ToolIdentity & { server: string }): fc.Arbitrary<OperatorRule> =>
  fc
    .record({ name: fc.oneof(named(tool), part), shape, path: fc.option(path, { nil: undefined }) })
    .map((drawn) => {
      const rule = drawn.shape(drawn.name);
      return drawn.path === undefined ? { tool: rule } : { tool: rule, path: drawn.path };
    });
const scene = mcpTool.chain((tool) =>
  fc.record({
    tool: fc.constant(tool),
    rule: ruleFor(tool),
    known: fc.array(path, { maxLength: 2 }),
    more: fc.array(path, { maxLength: 2 }),
    command: fc.constantFrom('', 'cat A/B.ts', 'ls src'),
  }),
);

it('[M03] what is added to the identity of a call never stops a deny rule from matching', () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(scene, ({ tool, rule, known, more, command }) => {
      // First only what the model called it, then also where it comes from, then what it touches.
      const byName = { identity: { name: wireName(tool) }, paths: known, command: '' };
      const identified = { ...byName, identity: tool };
      const whole = { identity: tool, paths: [...more, ...known], command };
      const matched = matchesWide(rule, byName);
      seen.add(matched);
      if (matched && !matchesWide(rule, identified)) return false;
      return !matchesWide(rule, identified) || matchesWide(rule, whole);
    }),
    { numRuns: 10_000 },
  );
  expect(seen).toEqual(new Set([true, false]));
});

const modes = fc.constantFrom(
  'plan' as const,
  'default' as const,
  'auto-edit' as const,
  'auto' as const,
  'yolo' as const,
);

it('a deny rule that matches is the verdict, whatever else allows or asks, in every mode', () => {
  fc.assert(
    fc.property(scene, modes, fc.boolean(), ({ tool, rule, known, command }, approvalMode, readOnly) => {
      const live: LiveTool = {
        identity: tool,
        description: '',
        parameters: '{}',
        readOnly,
        idempotent: false,
        executable: true,
      };
      const target: CallTarget = { insideWorkspace: true, paths: known, protectedPaths: [], command };
      if (!matchesWide(rule, { identity: tool, paths: known, command })) return true;
      const everything = [{ tool: rawForm(tool) }];
      const decided = decidePermission(live, target, {
        runtime: { permissions: { allow: [rawForm(tool)], ask: [rawForm(tool)] }, approvalMode },
        operator: { ...noOperatorRules, allow: everything, ask: everything, deny: [rule] },
      });
      return decided.verdict === 'deny';
    }),
    { numRuns: 10_000 },
  );
});
