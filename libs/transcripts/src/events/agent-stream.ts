const shape = /^agent-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The public name of an agent's stream. */
export const streamName = (agentId: string): string => `agent-${agentId}`;

/** The agent of a stream name, or null when it names none. */
export const agentOfStream = (name: string): string | null => shape.exec(name)?.[1] ?? null;

/** True when the text can be an agent's id; anything else never reaches the database. */
export const isAgentId = (text: string): boolean => uuid.test(text);
