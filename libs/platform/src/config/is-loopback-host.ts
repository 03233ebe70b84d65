const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** Whether only this machine can reach a server that listens on this address. */
export const isLoopbackHost = (host: string): boolean => loopback.has(host);
