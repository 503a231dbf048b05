import type { Scene, Setting } from '../scene.ts'

/** Returns a scene without subjects. It is drawn as the new background of a subject that is cut out
 *  of a picture. */
export function backdropScene(setting: Setting, seed: string): Scene {
  return {
    version: 1,
    prompt: setting.words,
    language: 'en',
    seed,
    setting,
    time: 'day',
    season: 'summer',
    weather: ['clear'],
    style: 'illustration',
    moods: [],
    camera: { framing: 'medium', angle: 'eye', bokeh: false },
    subjects: [],
    letterings: [],
    extras: 0,
    notDrawn: [],
  }
}
