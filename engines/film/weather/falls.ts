import type { Environment } from '@generation-gateway/studio/drawing.ts'
import type { Scene } from '@generation-gateway/studio/scene.ts'
import type { FallKind } from './weather.ts'

const indoors =
  /^(?:room|bedroom|kitchen|restaurant|cafe|library|classroom|office|laboratory|hospital|shop|museum|theatre|concert-hall|gym|workshop|garage|table|window-table|shelf|wall|backdrop|abstract|underwater|space|moon|planet|cave)$/

/** Returns the kinds of things that fall or fly through a scene. The kinds follow from the weather
 *  of the scene and from other words of the prompt. */
export function fallsOf(scene: Scene, environment: Environment): FallKind[] {
  const { weather, prompt, setting, season } = scene
  const falls: FallKind[] = []
  const says = (words: RegExp) => words.test(prompt)
  if (/window-table|room|cafe|library|bedroom/.test(setting.kind) && !environment.isPaper) falls.push('dust')
  if (indoors.test(setting.kind)) return falls
  if (weather.includes('fog')) falls.push('fog')
  if (weather.includes('storm')) falls.push('storm')
  else if (weather.includes('rain')) falls.push('rain')
  if (weather.includes('snow')) falls.push('snow')
  const isBlossom = says(/petal|blossom|sakura|花瓣|樱花/iu)
  if (isBlossom) falls.push('petals')
  else if (
    says(/(?:falling|autumn|blowing|swirling|drifting) leaves|落叶/iu) ||
    (season === 'autumn' && /forest|park|garden|street/.test(setting.kind))
  )
    falls.push('leaves')
  if (says(/firefl|glow-?worm|萤火虫/iu) || scene.moods.includes('magical')) falls.push('fireflies')
  if (falls.length === 0 && /forest|meadow|garden|park|jungle/.test(setting.kind) && scene.time !== 'night') falls.push('dust')
  return falls
}

/** Returns the kinds of falling things that the prompt itself names. Used for a base video and
 *  for a picture of the request. */
export function fallsInPrompt({ weather, prompt }: Scene): FallKind[] {
  const says = (words: RegExp) => words.test(prompt)
  const falls: FallKind[] = []
  if (weather.includes('fog') && says(/fog|mist|haz|雾/iu)) falls.push('fog')
  if (says(/rain|drizzl|storm|downpour|雨/iu)) falls.push(weather.includes('storm') ? 'storm' : 'rain')
  if (says(/snow|flurr|blizzard|雪/iu)) falls.push('snow')
  if (says(/petal|blossom|sakura|花瓣|樱花/iu)) falls.push('petals')
  else if (says(/leaves|落叶/iu)) falls.push('leaves')
  if (says(/firefl|萤火虫/iu)) falls.push('fireflies')
  if (says(/dust|sparkl|glitter|particles|尘/iu)) falls.push('dust')
  return falls
}
