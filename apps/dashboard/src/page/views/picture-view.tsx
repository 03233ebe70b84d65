import { useState } from 'preact/hooks';
import type { Picture } from '../state/entries/entry.js';

/** The picture that a call came to, small, with a link to the whole of it. One that is gone is said to be. */
export function PictureView(props: {
  readonly agentId: string;
  readonly picture: Picture;
  /** The tool that made it. */
  readonly of: string;
}) {
  const { agentId, picture, of } = props;
  const [isGone, setGone] = useState(false);
  if (isGone) return <p class="quiet">The picture cannot be shown: it is missing or damaged.</p>;
  const path = `/v1/agents/${agentId}/transcript/${picture.version}/picture`;
  return (
    <a class="picture" href={path} target="_blank" rel="noreferrer">
      {picture.isShown ? (
        <img src={path} alt={`Picture of ${of}`} loading="lazy" onError={() => setGone(true)} />
      ) : (
        'Download the picture'
      )}
    </a>
  );
}
