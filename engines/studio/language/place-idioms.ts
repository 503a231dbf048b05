/** Idioms for buildings and places, each with words that name an existing drawing or place. Each
 *  pattern has a limited length, so that the run time stays linear (see `rephrase.ts`). */
export const placeIdioms: readonly (readonly [RegExp, string])[] = [
  [/\bhouse (?:with no|without(?: any)?) windows\b/gi, 'windowless house'],
  [/\b(?:two|2|double)[- ]stor(?:e?y|ied|eyed) (?:house|home|building)\b/gi, 'double-storey house'],
  [/\b(?:three|3|triple)[- ]stor(?:e?y|ied|eyed) (?:house|home|building)\b/gi, 'triple-storey house'],
  [/\b(?:four|4)[- ]stor(?:e?y|ied|eyed) (?:house|home|building)\b/gi, 'quadruple-storey house'],
  // A lamp near a street musician is a street lamp.
  [
    /\b(street (?:musician|performer|artist|singer|vendor)s?(?: [a-z]{2,12}){0,3}) (under|beside|by|near|next to) an? lamp\b/gi,
    '$1 $2 a street lamp',
  ],
  [/\b(?:plowing|ploughing|tilling|plows|ploughs) (?:a|the|his|her|its) (?:[a-z]{3,8} )?field\b/gi, 'on a plowed field'],
  [/\b(?:inside|interior|the inside) (?:of )?(?:an? |the )?(?:[a-z]{3,8} )?(?:church|cathedral|chapel)\b/gi, 'church interior'],
  [
    /\btraffic jams? (?:on|in|along) (?:an? |the )?(?:[a-z]{3,8} )?(?:highway|motorway|freeway|road|street|city street|bridge)\b/gi,
    'traffic jam',
  ],
  [/\bparking lot (?:full of|with many|filled with|with lots of|packed with|crowded with) (?:parked )?cars\b/gi, 'full parking lot'],
]
