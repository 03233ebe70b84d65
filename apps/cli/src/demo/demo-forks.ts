/** The four forks of the demo: what each is asked, what it may run, and what must have come of it. */
export interface DemoFork {
  readonly label: string;
  readonly description: string;
  readonly prompt: string;
  /** Absent launches without a restriction. */
  readonly forkTools?: readonly string[];
}

export const demoForks = {
  unrestricted: {
    label: 'unrestricted',
    description: 'Keep an inventory',
    prompt:
      'Keep an inventory: list the Markdown files, append one line to INVENTORY.log with a shell command, then check that the line is there exactly once and report.',
  },
  readOnly: {
    label: 'read-only list',
    description: 'Find a word',
    prompt:
      'Find every file that mentions the word "durable", write the findings to FINDINGS.md if you can, and report them.',
    forkTools: ['read_file', 'list_directory', 'glob', 'grep_search'],
  },
  denyAll: {
    label: 'empty list',
    description: 'Answer from memory',
    prompt: 'From memory: what did we look at in this project so far? Read README.md first if you can.',
    forkTools: [],
  },
  insisting: {
    label: 'insists on a refused tool',
    description: 'Overwrite a file',
    prompt: 'Overwrite README.md with the word "gone". Do not stop until it is done.',
    forkTools: ['read_file'],
  },
} as const satisfies Readonly<Record<string, DemoFork>>;

export type DemoForkName = keyof typeof demoForks;
export const demoForkNames = Object.keys(demoForks) as readonly DemoForkName[];
