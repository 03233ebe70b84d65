import { useState } from 'preact/hooks';
import { formatLength } from '../state/format.js';

const shownAtFirst = 6000;

/** Text as it is, in a scrolling box; the rest of a long one is put in the document when it is asked for. */
export function CodeText(props: { readonly body: string; readonly label: string }) {
  const [isWhole, setIsWhole] = useState(props.body.length <= shownAtFirst);
  return (
    <>
      <pre class="code" tabIndex={0} role="group" aria-label={props.label}>
        {isWhole ? props.body : props.body.slice(0, shownAtFirst)}
      </pre>
      {!isWhole && (
        <button type="button" class="more" onClick={() => setIsWhole(true)}>
          Show all {formatLength(props.body.length)}
        </button>
      )}
    </>
  );
}
