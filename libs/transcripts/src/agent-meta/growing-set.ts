/**
 * An immutable set that shares its storage with the sets that it grew from: one more member costs the same however many there are, as
 * long as it is the newest set that grows, which is how a fold goes on. A set that was grown from already is copied when it grows again.
 */
export class GrowingSet<Member> implements Iterable<Member> {
  /** Every member of this set and of those that grew from it, with how many were there before it. */
  readonly #places: Map<Member, number>;
  readonly size: number;

  private constructor(places: Map<Member, number>, size: number) {
    this.#places = places;
    this.size = size;
  }

  static of<Member>(...members: readonly Member[]): GrowingSet<Member> {
    const places = new Map([...new Set(members)].map((member, place) => [member, place]));
    return new GrowingSet(places, places.size);
  }

  has(member: Member): boolean {
    const place = this.#places.get(member);
    return place !== undefined && place < this.size;
  }

  /** This set with one more member; itself where the member is in it already. */
  with(member: Member): GrowingSet<Member> {
    if (this.has(member)) return this;
    const places = this.#places.size === this.size ? this.#places : GrowingSet.of(...this).#places;
    places.set(member, this.size);
    return new GrowingSet(places, this.size + 1);
  }

  /** The members in the order in which they came. */
  *[Symbol.iterator](): Iterator<Member> {
    for (const [member, place] of this.#places) {
      if (place >= this.size) return;
      yield member;
    }
  }
}
