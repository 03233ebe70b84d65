/**
 * One-dimensional arrays in PostgreSQL's binary format. The driver sends a Buffer as it is, so payloads with many
 * quotes are neither escaped here nor parsed there, and no value can be read as another one. Every array is written
 * into one Buffer, element by element: this is the hot path of every append.
 */
interface ElementType<T> {
  readonly oid: number;
  readonly sizeBytes: (value: T) => number;
  readonly write: (into: Buffer, value: T, offset: number) => void;
}

const headBytes = 20;

const text: ElementType<string> = {
  oid: 25,
  sizeBytes: (value) => Buffer.byteLength(value),
  write: (into, value, offset) => void into.write(value, offset),
};
const int4: ElementType<number> = {
  oid: 23,
  sizeBytes: () => 4,
  write: (into, value, offset) => void into.writeInt32BE(value, offset),
};
const uuid: ElementType<string> = {
  oid: 2950,
  sizeBytes: () => 16,
  write: (into, value, offset) => void into.write(value.replaceAll('-', ''), offset, 'hex'),
};
const bytea: ElementType<string> = {
  oid: 17,
  sizeBytes: (value) => value.length / 2,
  write: (into, value, offset) => void into.write(value, offset, 'hex'),
};

export function textArray(values: readonly (string | null)[]): Buffer {
  return encode(text, values);
}

export function intArray(values: readonly (number | null)[]): Buffer {
  return encode(int4, values);
}

/** Takes canonical UUIDs: 36 characters, lower-case hex. */
export function uuidArray(values: readonly string[]): Buffer {
  return encode(uuid, values);
}

/** Takes hex texts. */
export function byteaArray(values: readonly (string | null)[]): Buffer {
  return encode(bytea, values);
}

function encode<T>(type: ElementType<T>, values: readonly (T | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? -1 : type.sizeBytes(value)));
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), headBytes));
  const head = [1, sizes.includes(-1) ? 1 : 0, type.oid, values.length, 1];
  let offset = 0;
  for (const field of head) offset = bytes.writeInt32BE(field, offset);
  values.forEach((value, index) => {
    const size = sizes[index] ?? -1;
    offset = bytes.writeInt32BE(size, offset);
    if (value === null) return;
    type.write(bytes, value, offset);
    offset += size;
  });
  return bytes;
}
