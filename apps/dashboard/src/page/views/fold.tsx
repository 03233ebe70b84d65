import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A disclosure whose content is put in the document only once it is opened. */
export function Fold(props: {
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly children: () => ComponentChildren;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class={`fold ${props.class ?? ''}`} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen && props.children()}
    </details>
  );
}
