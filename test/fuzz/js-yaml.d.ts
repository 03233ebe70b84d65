declare module 'js-yaml' {
  /** What the reader knows of a node when it closes it. */
  interface NodeState {
    readonly tag: string | null;
    readonly anchor: string | null;
  }
  interface LoadOptions {
    readonly schema: unknown;
    readonly listener: (event: 'open' | 'close', state: NodeState) => void;
    readonly onWarning: (warning: Error) => void;
  }
  const yaml: { load(text: string, options: LoadOptions): unknown; readonly FAILSAFE_SCHEMA: unknown };
  export default yaml;
}
