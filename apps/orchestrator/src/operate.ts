import { loadConfig } from '#platform';
import { ShadowHeldError } from '#transcripts';
import { ServerConfig } from './log/server-config.js';
import { archiveTrees } from './operate/archive/archive-trees.js';
import { examine } from './operate/examine.js';
import { Operation, type OperationMessage } from './operate/operation.js';
import { OperationRefusedError } from './operate/operation-refused-error.js';
import { type OperationTools, withOperationTools } from './operate/operation-tools.js';
import { rebuildProjections } from './operate/rebuild-projections.js';

const tell = (message: OperationMessage): void => void process.send?.(message);

function perform(operation: Operation, tools: OperationTools): Promise<unknown> {
  switch (operation.operation) {
    case 'rebuild':
      return rebuildProjections(tools, operation.name);
    case 'examine':
      return examine(tools);
    case 'archive':
      return archiveTrees(tools, operation);
  }
}

const operation = Operation.parse(JSON.parse(process.argv[2] ?? 'null'));
const { databaseUrl } = new ServerConfig(loadConfig());
try {
  const onProgress = (text: string): void => tell({ type: 'progress', text });
  const result = await withOperationTools(databaseUrl, onProgress, (tools) => perform(operation, tools));
  tell({ type: 'done', result });
} catch (thrown) {
  if (!(thrown instanceof OperationRefusedError || thrown instanceof ShadowHeldError)) throw thrown;
  tell({ type: 'refused', code: thrown.code, message: thrown.message });
}
