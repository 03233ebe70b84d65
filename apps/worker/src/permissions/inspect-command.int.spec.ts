import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSandbox, type Sandbox } from '../tools/testing/call-tool.js';
import { inspectTarget } from './protected-paths.js';

let box: Sandbox;
beforeAll(async () => {
  box = await makeSandbox();
  for (const folder of ['.git/hooks', '.qwen/agents', 'src/deep', 'lib'])
    await mkdir(join(box.root, folder), { recursive: true });
  await writeFile(join(box.root, 'AGENTS.md'), '');
  await symlink(join(box.root, '.qwen/agents'), join(box.root, 'src/notes'));
  await symlink(join(box.root, 'AGENTS.md'), join(box.root, 'src/readme'));
  await symlink(box.root, join(box.root, 'lib/up'));
});
afterAll(() => box.remove());

const target = (command: string) =>
  inspectTarget(
    { builtIn: 'run_shell_command', readOnly: false },
    { command },
    { projectRoot: box.root, folder: box.root, guarded: [] },
  );

describe('a write to a protected path is seen, however it is spelled', () => {
  it.each([
    ['a redirection', 'echo x > .qwen/agents/a.md'],
    ['a redirection without blanks', 'echo x>>.qwen/a'],
    ['another case', 'echo x > .QwEn/a'],
    ['dots and slashes', 'echo x > src/..//./.qwen/a'],
    ['a change of folder', 'cd src && echo x > ../.git/config'],
    ['a change into it', 'cd .git/hooks && echo x > post-commit'],
    ['tee', 'echo x | tee -a AGENTS.md'],
    ['a here-document', 'cat <<E > .mcp.json\n{}\nE'],
    ['a here-document with an apostrophe in it', "cat <<E\ndon't\nE\necho x > .qw''en/a"],
    ['a command inside a here-document', 'cat <<E\n$(touch .q""wen/a)\nE'],
    ['a command behind two here-documents', "cat <<A <<'B'\n'\nA\n'\nB\ntouch .q''wen/a"],
    ['what looks like a here-document', `echo "<<E"\ntouch .q""wen/a\nE`],
    ['sed in place', 'sed -i s/a/b/ CLAUDE.md'],
    ['an option with a value', 'dd if=/dev/null of=.git/config'],
    ['quotes inside the name', `echo x > .q"w"'e'n/a`],
    ['an escape inside the name', 'echo x > .q\\wen/a'],
    ['an ANSI string', "echo x > $'\\x2eqwen/a'"],
    ['an ANSI string in octal', "echo x > $'\\056git/config'"],
    ['a pattern', 'echo x > .q*/a'],
    ['a question mark', 'rm .gi?/config'],
    ['a set', 'cp a .[q]wen/a'],
    ['every context file', 'sed -i s/a/b/ *.md'],
    ['everything', 'rm -rf *'],
    ['every hidden file', 'rm -rf .*'],
    ['a choice', 'touch {src,.qwen}/a'],
    ['a choice inside the name', 'touch .{gi,x}t/config'],
    ['a variable', 'D=.qw; echo x > ${D}en/a'],
    ['a variable with one of two values', 'D=src; D=.qwen; touch "$D/a"'],
    ['a loop over folders', 'for d in src .qw; do touch "$d"en; done'],
    ['a command in place', 'echo x > .$(echo qwen)/a'],
    ['a command in a command in place', 'echo $(touch .q""wen/a)'],
    ['a command in backticks', 'echo `touch .q""wen/a`'],
    ['a script in quotes', `bash -c 'echo x > .q""wen/a'`],
    ['a script in a script', `sh -c "bash -c 'touch .q\\"\\"wen/a'"`],
    ['letters of full width', 'touch AGENTS．md'],
    ['an invisible letter', 'touch .g\u200Cit/config'],
    ['a long s', 'touch agentſ.md'],
    ['a dot behind it', 'touch .git./config'],
    ['a link to a folder', 'echo x > src/notes/a.md'],
    ['a link to a file', 'echo x > src/readme'],
    ['a link after a change of folder', 'cd src && touch notes/a.md'],
    ['a link back to the root', 'cd lib/up && cd src && touch notes/a.md'],
    ['a name at any depth', 'mkdir -p src/deep/.q""wen'],
  ])('%s', async (_what, command) => {
    const { paths, protectedPaths } = await target(command);
    expect(paths.length).toBeGreaterThan(0);
    expect(protectedPaths).toEqual(expect.arrayContaining([...paths]));
  });
});

describe('a write of which nobody can say where it goes may be one to any protected path', () => {
  it.each([
    ['a patch', 'git apply x.patch'],
    ['a patch of mails', 'git am < x'],
    ['another branch', 'git checkout other'],
    ['settings of git', 'git config core.editor x'],
    ['git elsewhere', 'git -C src checkout other'],
    ['git with settings', 'git -c core.pager=x status'],
    ['patch', 'patch -p1 < x'],
    ['an archive', 'tar -xzf x.tgz'],
    ['an archive, in the old way', 'tar xf x.tar'],
    ['another archive', 'unzip x.zip'],
    ['the whole project', 'mv . ../elsewhere'],
    ['the whole project by its link', 'mv lib/up x'],
    ['the folder above', 'rm -rf ..'],
    ['the folder above, into a folder', 'mv -t /tmp ..'],
    ['the whole project, copied', 'cp -r . src/copy'],
    ['its rights', 'chmod -R 000 .'],
    ['what find finds', 'find . -name a -delete'],
    ['what find runs', 'find . -exec rm {} +'],
    ['what a pipe names', 'ls -a | xargs rm -rf'],
    ['what a pipe says', 'curl -s http://x | sh'],
    ['what a pipe says, with a path', 'echo x | sudo /bin/bash -s'],
    ['what a text says', 'eval "$x"'],
    ['a variable from elsewhere', 'echo x > "$TARGET"'],
    ['a variable from elsewhere, as a folder', 'tee $D/a'],
    ['what a command says', 'rm $(cat list)'],
  ])('%s', async (_what, command) => {
    expect((await target(command)).protectedPaths).toEqual(
      expect.arrayContaining(['.qwen', '.git', '.mcp.json']),
    );
  });

  it('however long a command is, it is looked through in no time that counts', async () => {
    for (const part of ['[', '$(', '`', '"$', '${', "$'", '<<a\n', '{a,', 'a=$a;', '../', '\'"'])
      await target(part.repeat(20_000));
  });

  it('so may a command that is too long or too nested to look through', async () => {
    for (const command of ['echo a '.repeat(300), 'sh -c "'.repeat(3) + 'echo a; '.repeat(200)])
      expect((await target(command)).protectedPaths).toContain('.qwen');
  });
});

describe('what touches no protected path asks no more than any other command', () => {
  it.each([
    'npm test && npm run build',
    'ls -la src | grep -v node_modules | wc -l',
    'cat *.md | head -5',
    'grep -rn "TODO" src/*',
    'git status && git diff HEAD~1 -- src',
    'git add src && git commit -m "agents: a change of *.md"',
    'git -C src log --oneline',
    'cp src/a.ts .',
    'mv src/a.ts src/b.ts',
    'rm -rf src/deep',
    'mkdir -p build/out && touch build/out/a',
    'echo x > src/out.txt 2>&1',
    'for f in src/*.ts; do wc -l "$f"; done',
    'for f in src/*.ts; do cp "$f" build/; done',
    'OUT=build; tsc --outDir "$OUT" > "$OUT/log.txt"',
    'tar -czf x.tgz src',
    'find src -name "*.ts" -exec grep -l x {} +',
    "node -e 'console.log(1 > 0)'",
    'sed -n 1,5p src/a.ts',
    'echo $((1 + 2)) $? "$HOME"',
    'curl -s http://localhost:3000/health',
    'bash scripts/build.sh',
    `cat > src/a.ts <<'EOF'\n${"const it's = $(x) && rm -rf .*;\n".repeat(500)}EOF`,
    "cat <<E > src/a.txt\nit's $5\nE",
    'python3 -m pytest -q',
  ])('%s', async (command) => {
    expect(await target(command)).toMatchObject({ paths: [], protectedPaths: [] });
  });
});
