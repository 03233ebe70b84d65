/**
 * One-dimensional arrays in PostgreSQL's binary format. The driver sends a Buffer as it is, so payloads with many
 * quotes are neither escaped here nor parsed there, and no value can be read as another one.
 */
const oids = Object.freeze({ int4: 23, text: 25, uuid: 2950, bytea: 17 });

export function textArray(values: readonly (string | null)[]): Buffer {
  return encode(
    oids.text,
    values.map((value) => (value === null ? null : Buffer.from(value))),
  );
}

export function intArray(values: readonly (number | null)[]): Buffer {
  return encode(
    oids.int4,
    values.map((value) => (value === null ? null : int4(value))),
  );
}

/** Takes canonical UUIDs: 36 characters, lower-case hex. */
export function uuidArray(values: readonly string[]): Buffer {
  return encode(
    oids.uuid,
    values.map((value) => Buffer.from(value.replaceAll('-', ''), 'hex')),
  );
}

/** Takes hex texts. */
export function byteaArray(values: readonly (string | null)[]): Buffer {
  return encode(
    oids.bytea,
    values.map((value) => (value === null ? null : Buffer.from(value, 'hex'))),
  );
}

function int4(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function encode(elementOid: number, elements: readonly (Buffer | null)[]): Buffer {
  const sizeBytes = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), 20);
  const bytes = Buffer.allocUnsafe(sizeBytes);
  const head = [1, elements.includes(null) ? 1 : 0, elementOid, elements.length, 1];
  let offset = 0;
  for (const field of head) offset = bytes.writeInt32BE(field, offset);
  for (const element of elements) {
    offset = bytes.writeInt32BE(element?.length ?? -1, offset);
    if (element !== null) offset += element.copy(bytes, offset);
  }
  return bytes;
}
