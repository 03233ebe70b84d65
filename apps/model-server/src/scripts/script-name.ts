const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether a script may have this name: a file name without a path. */
export function isScriptName(name: string): boolean {
  return wellFormed.test(name);
}

/** The script a request's `model` means: `scripted:demo`, `demo.json` and `demo` all mean `demo`. */
export function scriptNameOf(model: string): string {
  return model.replace(/^scripted:/, '').replace(/\.json$/, '');
}
