/** Phrases for a view of a thing, replaced by the name of the drawing that shows the thing from
 *  this side. Each pattern has a limited length, so that the run time stays linear (see
 *  `rephrase.ts`). */
export const viewIdioms: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:an? |the )?(?:front|head-on|frontal) view of (an? |the )?((?:[a-z]{3,10} ){0,2}?)(?:sports car|car|automobile)\b/gi,
    '$1$2oncoming automobile',
  ],
  [/\b(?:an? |the )?(?:front|head-on|frontal) view of (an? |the )?((?:[a-z]{3,10} ){0,2}?)(bus|taxi|police car)\b/gi, '$1$2oncoming $3'],
  [
    /\b((?:[a-z]{3,10} ){0,2}?)(?:sports car|car|automobile)(?: that is)? (?:seen |viewed |photographed |shown )?(?:head-on|from the front)\b/gi,
    '$1oncoming automobile',
  ],
  [
    /\b(?:an? |the )?(?:top|top-down|overhead|bird['’]?s[- ]eye|aerial|drone) view of (an? |the )?((?:[a-z]{3,10} ){0,2}?)(?:sports car|car|automobile|taxi)\b/gi,
    '$1$2car from overhead, top view',
  ],
  [
    /\b((?:[a-z]{3,10} ){0,2}?)(?:sports car|car|automobile)(?: that is)? (?:(?:seen|viewed|photographed|shown) )?from (?:directly |right |straight )?above\b/gi,
    '$1car from overhead, top view',
  ],
]
