import { InMemoryTranscriptStore } from '#transcripts/testing';
import { callTool } from '../../tools/testing/call-tool.js';
import type { ToolResult } from '../../tools/tool.js';
import { BrowserPool, type BrowserPoolOptions } from '../browser-pool.js';
import { browserTools } from '../browser-tools.js';
import { type Chromium, openChromium } from '../open-chromium.js';

/** An agent that calls browser tools the way a run does. */
export type Caller = (name: string, given?: object) => Promise<ToolResult>;

/** A pool over a real Chromium, and agents that use it. */
export class BrowserHarness {
  readonly store = new InMemoryTranscriptStore();
  readonly pool: BrowserPool;
  /** Browsers in the order in which they were started. */
  readonly browsers: Chromium[] = [];

  constructor(executablePath: string, options: Omit<BrowserPoolOptions, 'launch'> = {}) {
    const launch = async (): Promise<Chromium> => {
      const chromium = await openChromium({ executablePath, env: { PATH: process.env['PATH'] ?? '' } });
      this.browsers.push(chromium);
      return chromium;
    };
    this.pool = new BrowserPool({ ...options, launch });
  }

  agent(agentId: string, lineage: string[] = [], signal = new AbortController().signal): Caller {
    const tools = browserTools(this.pool, (bytes) => this.store.saveBlob(bytes));
    return (name, given = {}) => {
      const tool = tools.get(`browser_${name}`);
      if (tool === undefined) throw new Error(`There is no tool browser_${name}.`);
      return callTool(tool, '/tmp', given, { agentId, lineage, signal });
    };
  }
}
