import { type Draft, note } from './draft.ts'

const named = /\bmaps? of (?:the )?((?:north|south|east|west|central)?(?:ern)? ?[A-Z][\p{L}'’-]{1,30}(?: [A-Z][\p{L}'’-]{1,30}){0,3})/gu
const whole = /^(World|Earth|Globe|Continents|Planet|Treasure|Subway|Metro|Solar System|Moon|Mars)\b/

/** Reports that the map of a named country is drawn as a world map, because the catalogue has only
 *  maps of the world, treasure maps and transit maps. */
export function noteNamedMaps(draft: Draft, text: string): void {
  for (const [words, name = ''] of text.matchAll(named)) {
    if (whole.test(name)) continue
    for (const noted of draft.notDrawn) if (noted.includes(name)) draft.notDrawn.delete(noted)
    note(draft, `${words} (drawn as a map of the world)`)
  }
}
