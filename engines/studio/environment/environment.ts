import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Environment, Frame, Light, Rgb } from '../drawing.ts'
import { createBand, isBand } from './band.ts'
import { clamp, mix, rgb, scale } from './colour.ts'
import { paintFinish, paintShallowFocus } from './finish.ts'
import type { Palette } from './palette.ts'
import type { Place } from './places/place.ts'
import { settings } from './settings.ts'
import { createStage, type Stage } from './stage.ts'
import { paintWeatherFront } from './weather.ts'

/** Returns the place of a scene, ready to be painted: where subjects can stand, how it is lit, and
 *  functions that paint the background and the foreground. Nothing is drawn until `paintBack` is
 *  called. Equal frames give equal pixels. Sizes are in pixels. */
export function paintEnvironment(frame: Frame): Environment {
  const setting = settings[frame.scene.setting.kind]
  if (!isBand(frame)) {
    const stage = createStage(frame, setting.view)
    return environmentOf(stage, setting.paint(stage))
  }
  const band = createBand(frame, setting.view, setting.paint)
  const whole = createStage(frame, setting.view)
  const sun = { ...band.tile.sun, x: frame.width / 2 + band.tile.sun.x - band.tile.width / 2 }
  return environmentOf({ ...whole, sun }, { ...band.place, paintBack: band.paintBack, paintFront: band.paintFront })
}

function environmentOf(stage: Stage, place: Place): Environment {
  const { view, palette } = stage
  const paintLast = (context: SKRSContext2D): void => {
    if (!place.isPaper) paintFinish(context, stage, place.isIndoors ?? false)
    if (stage.scene.camera.bokeh) paintShallowFocus(context, stage)
  }
  return {
    horizonY: place.edgeY ?? view.horizonY,
    ground: { farY: view.farY, nearY: view.nearY },
    pixelsPerMetre: view.metre,
    light: { ...skyLight(stage), ...place.light },
    haze: place.haze ?? { colour: palette.haze, strength: palette.hazeStrength },
    ...(place.water === undefined ? {} : { water: place.water }),
    floor: place.floor,
    ...(place.isPaper ? { isPaper: true } : {}),
    paintBack: context => {
      context.save()
      place.paintBack(context)
      if (stage.isFilm) stage.part(context, 'upright', 0.5)
      else paintLast(context)
      context.restore()
    },
    paintFront: context => {
      context.save()
      place.paintFront?.(context)
      if (!stage.isFilm && !(place.isIndoors ?? false)) paintWeatherFront(context, stage)
      context.restore()
    },
    paintFinish: paintLast,
  }
}

function skyLight(stage: Stage): Light {
  const { palette, sun } = stage
  return {
    side: sun.side,
    height: palette.lightHeight,
    key: palette.isNight ? palette.glow : palette.sun,
    ambient: ambientOf(palette),
    shadow: palette.sharpness * (palette.isNight ? 0.7 : 1),
    rim: clamp((palette.lightHeight < 0.2 ? 0.9 : 0.45) * (0.3 + 0.7 * palette.sharpness), 0, 1),
  }
}

/** Returns the colour that subjects are multiplied by: the mean tint of the light, shifted towards
 *  white; at night, the shift is smaller. */
function ambientOf(palette: Palette): Rgb {
  const mean = mix(palette.shade, palette.key, 0.7)
  const top = Math.max(mean.r, mean.g, mean.b)
  const level = clamp(top / 235, 0, 1)
  const hue = scale(mean, 255 / top)
  return mix(scale(hue, level), rgb('#ffffff'), palette.isNight ? 0.12 : 0.35)
}
