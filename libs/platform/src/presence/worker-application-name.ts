/**
 * The application_name that every connection of a worker process carries, pools too: by it an observer finds and ends all
 * backends of a worker that it declares dead. A UUID leaves it under the 63 bytes that PostgreSQL keeps.
 */
export function workerApplicationName(workerId: string): string {
  return `offshoot-worker-${workerId}`;
}
