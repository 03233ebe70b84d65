import { MARK_VARIABLE } from './kill-marked.js';

/**
 * The POSIX shell script in front of every command: `sh -c <script> sh <mark> <file> <argument>…`, as leader of a
 * process group of its own. It leaves a watcher in the group that reads from descriptor 3, whose other end only
 * the worker holds. The read ends when the worker is gone, however it went (a SIGKILL runs no handler of ours);
 * then the watcher kills what bears the mark, and its own group. The parent-death signal of the kernel would
 * not do: it is not inherited, so it would spare the command's children.
 */
export const LIFELINE_SCRIPT = `
mark=$1; shift
(
  trap '' TERM INT HUP
  exec </dev/null >/dev/null 2>&1
  read -r _ <&3
  for file in $(grep -l -F "${MARK_VARIABLE}=$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
  kill -KILL 0
) &
exec 3<&- 2>&1
export ${MARK_VARIABLE}="$mark"
exec "$@"
`;
