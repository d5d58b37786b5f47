// A component value in JavaScript, as the engine takes and gives it. One form per type:
//   bool → boolean · s8 … u32, f32, f64 → number · s64, u64 → bigint · char, string → string
//   list → array (list<u8> → Uint8Array; other lists of numbers → the matching typed array or array accepted)
//   fixed-list, tuple → array · record → object by WIT field name · enum → its name · flags → array of names
//   variant → { tag } or { tag, val } · result → { tag: 'ok' | 'err', val? }
//   option → undefined or the value; where an option holds an option, { some: value }
//   map → array of [key, value] pairs · own, borrow → a Handle of the engine, or the host's own object
// Names are WIT names as written (kebab-case), never translated.

export type Value =
  | undefined
  | boolean
  | number
  | bigint
  | string
  | ArrayBufferView
  | readonly Value[]
  | { readonly [name: string]: Value }
  | object;
