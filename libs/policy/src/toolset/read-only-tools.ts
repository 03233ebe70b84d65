/** The four repository readers, by definition spelling. Everything read-only in this library is derived from here. */
export const REPOSITORY_READ_ONLY_TOOLS = Object.freeze(['read', 'grep', 'find', 'ls'] as const);

/** The browser proxies that only look: injected outside Build mode and for explorers in every mode. */
export const BROWSER_PROXY_READ_ONLY_TOOLS = Object.freeze([
  'browser_console',
  'browser_screenshot',
  'browser_network',
] as const);

/** All browser proxies: injected in Build mode. */
export const BROWSER_PROXY_BUILD_TOOLS = Object.freeze([
  ...BROWSER_PROXY_READ_ONLY_TOOLS,
  'browser_goto',
  'browser_eval',
  'browser_fill',
  'browser_click',
  'browser_close',
] as const);

/** Lets a subagent ask its parent agent; given to every subagent. */
export const ASK_PARENT_TOOL = 'ask_question';

/** Lets an agent launch another, by definition spelling. */
export const SPAWN_TOOL = 'subagent';

/**
 * The closed list: what may launch outside Build mode, by definition spelling (spec 02 §5, ADR-0001). No setting, annotation or server adds
 * to it.
 */
export const CLOSED_LIST = Object.freeze([
  ...REPOSITORY_READ_ONLY_TOOLS,
  ASK_PARENT_TOOL,
  SPAWN_TOOL,
  ...BROWSER_PROXY_READ_ONLY_TOOLS,
] as const);
