import type { ConsoleMessage, Page, Request, Response } from 'playwright-core';
import { withDeadline } from '../mcp/with-deadline.js';
import { LineBuffer } from './line-buffer.js';

/** A page in a loop answers nothing. */
const TITLE_MS = 2_000;

/**
 * The page of one agent with what it printed and what it loaded. A dialog is dismissed, a new window and a download are refused:
 * each leaves a line in the console, so that nothing waits for a person who is not there.
 */
export class AgentPage {
  readonly console = new LineBuffer();
  readonly network = new LineBuffer();
  private crashed = false;

  constructor(readonly page: Page) {
    this.listenToConsole();
    this.listenToNetwork();
  }

  /** True when there is nothing left to look at or act on. */
  get isGone(): boolean {
    return this.crashed || this.page.isClosed();
  }

  /** Where the page is; the title is the page's own claim. */
  async place(): Promise<string> {
    const asked = withDeadline(this.page.title(), TITLE_MS, 'The title');
    const title = await asked.catch(() => '');
    return `${this.page.url()}${title === '' ? '' : ` "${title.slice(0, 200)}"`}`;
  }

  async close(): Promise<void> {
    await this.page.close().catch(() => undefined);
  }

  private listenToConsole(): void {
    const { page, console } = this;
    page.on('crash', () => void (this.crashed = true));
    page.on('console', (message) => console.add(consoleLine(message)));
    page.on('pageerror', (error) => console.add(`uncaught ${String(error)}`));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) console.add(`[now at ${frame.url()}]`);
    });
    page.on('dialog', (dialog) => {
      console.add(`[a dialog was dismissed: ${dialog.type()} ${JSON.stringify(dialog.message())}]`);
      void dialog.dismiss().catch(() => undefined);
    });
    page.on('popup', (popup) => {
      console.add(`[a new window was refused: ${popup.url()}]`);
      void popup.close().catch(() => undefined);
    });
    page.on('download', (download) => {
      console.add(`[a download was refused: ${download.url()}]`);
      void download.cancel().catch(() => undefined);
    });
  }

  private listenToNetwork(): void {
    this.page.on('response', (response) => this.network.add(responseLine(response)));
    this.page.on('requestfailed', (request) => this.network.add(failureLine(request)));
    this.page.on('websocket', (socket) => this.network.add(`WS ${socket.url()}`));
  }
}

function consoleLine(message: ConsoleMessage): string {
  const { url, lineNumber } = message.location();
  return `${message.type()} ${message.text()}${url === '' ? '' : ` (${url}:${lineNumber + 1})`}`;
}

function responseLine(response: Response): string {
  const request = response.request();
  return `${request.method()} ${response.url()} ${response.status()} ${request.resourceType()}`;
}

function failureLine(request: Request): string {
  const reason = request.failure()?.errorText ?? 'unknown';
  return `${request.method()} ${request.url()} failed (${reason}) ${request.resourceType()}`;
}
