import { createHash } from 'node:crypto';

/** A reasoning block with the seal that proves it unchanged. */
export interface SealedBlock {
  readonly text: string;
  readonly seal: string;
}

function digest(model: string, place: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([model, place, text]))
    .digest('base64url');
}

/**
 * Seals the reasoning of one answer. The seal binds model, text, position and number of blocks, so a block that was
 * edited, moved, left alone of its siblings or sent to another model no longer fits. Nothing is remembered: any
 * server, before or after a restart, can check it.
 */
export function sealReasoning(model: string, texts: readonly string[]): readonly SealedBlock[] {
  return texts.map((text, index) => {
    const place = `${index + 1}/${texts.length}`;
    return { text, seal: `${place}.${digest(model, place, text)}` };
  });
}

/** Whether the blocks of one assistant message are exactly those `sealReasoning` made for this model. */
export function isIntact(model: string, blocks: readonly SealedBlock[]): boolean {
  const expected = sealReasoning(
    model,
    blocks.map((block) => block.text),
  );
  return blocks.every((block, index) => block.seal === expected[index]?.seal);
}
