import type { SKRSContext2D } from '@napi-rs/canvas'
import { blob, ellipse, fill, line, polygon, rectangle, scaled } from '../brush.ts'
import { shade } from '../colour.ts'
import type { TopKind } from './clothes.ts'
import type { TorsoFrame } from './torso-frame.ts'

type TopPainter = (context: SKRSContext2D, frame: TorsoFrame, middle: number) => void

/** Functions that draw the details of upper garments. The caller has clipped the context to the
 *  torso; `middle` is the x coordinate of the middle line at the front. */
export const tops: Partial<Record<TopKind, TopPainter>> = {
  suit: (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62

    fill(
      context,
      polygon([middle - neck, -t * 1.06, middle + neck, -t * 1.06, middle + neck * 0.1, -t * (outfit.top === 'suit' ? 0.36 : 0.5)]),
      outfit.shirtColour,
    )
    for (const side of [-1, 1])
      fill(
        context,
        polygon([
          [middle + side * neck * 1.05, -t * 1.06],
          [middle + side * neck * 1.5, -t * 0.72],
          [middle + side * neck * 0.1, -t * (outfit.top === 'suit' ? 0.36 : 0.5)],
        ]),
        shade(outfit.topColour, -0.13),
      )
    line(context, [middle, -t * 0.48, middle, t * 0.1], { width: build.arm * 0.16, colour: dark })
    for (const y of [-0.3, -0.1]) fill(context, ellipse(middle + build.hip * 0.2, t * y, build.arm * 0.2, build.arm * 0.2), dark)
  },
  jacket: (context, frame, middle) => tops.suit?.(context, frame, middle),
  coat: (context, frame, middle) => tops.suit?.(context, frame, middle),
  shirt: (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62
    for (const side of [-1, 1])
      fill(
        context,
        polygon([middle, -t * 0.92, middle + side * neck * 1.1, -t * 1.08, middle + side * neck * 1.2, -t * 0.84]),
        shade(outfit.topColour, 0.3),
      )
    line(context, [middle, -t * 0.92, middle, t * 0.1], { width: build.arm * 0.14, colour: dark })
    for (const y of [-0.74, -0.5, -0.26])
      fill(context, ellipse(middle, t * y, build.arm * 0.17, build.arm * 0.17), shade(outfit.topColour, 0.5))
  },
  sweater: (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62
    fill(context, rectangle(-50, -t * 0.01, 100, t * 0.2), dark)
    line(context, [middle - neck, -t * 1.0, middle, -t * 0.93, middle + neck, -t * 1.0], { width: build.arm * 0.6, colour: dark })
    for (const y of [-0.6, -0.52]) line(context, [-20, t * y, 20, t * y], { width: build.arm * 0.3, colour: shade(outfit.topColour, 0.34) })
  },
  hoodie: (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62
    line(context, [middle - neck * 1.3, -t * 1.0, middle, -t * 0.86, middle + neck * 1.3, -t * 1.0], {
      width: build.arm * 0.8,
      colour: dark,
    })
    for (const side of [-1, 1])
      line(context, [middle + side * neck * 0.4, -t * 0.86, middle + side * neck * 0.44, -t * 0.62], {
        width: build.arm * 0.16,
        colour: '#f4efe6',
      })
    fill(context, polygon(scaled([-0.9, 0, -0.6, -0.28, 0.6, -0.28, 0.9, 0], [build.hip, t], [middle, 0])), shade(outfit.topColour, -0.13))
  },
  't-shirt': (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62
    line(context, [middle - neck, -t * 1.02, middle, -t * 0.93, middle + neck, -t * 1.02], { width: build.arm * 0.3, colour: dark })
  },
  dress: (context, { outfit, build }, middle) => {
    const t = build.torso
    const neck = build.hip * 0.62
    fill(context, ellipse(middle, -t * 1.04, neck * 1.1, t * 0.13), outfit.skin)
    line(context, [-20, -t * 0.3, 0, -t * 0.26, 20, -t * 0.3], { width: build.arm * 0.6, colour: shade(outfit.topColour, -0.24) })
  },
  vest: (context, { outfit, build }, middle) => {
    const dark = shade(outfit.topColour, -0.26)
    const t = build.torso
    const neck = build.hip * 0.62
    fill(context, polygon([middle - neck * 1.3, -t * 1.1, middle + neck * 1.3, -t * 1.1, middle, -t * 0.36]), outfit.shirtColour)
    line(context, [middle, -t * 0.36, middle, t * 0.12], { width: build.arm * 0.16, colour: dark })
    for (const y of [-0.24, -0.06])
      fill(context, ellipse(middle + build.arm * 0.5, t * y, build.arm * 0.19, build.arm * 0.19), shade(outfit.topColour, 0.45))
  },
  overall: (context, { outfit, build }, middle) => {
    const t = build.torso
    fill(
      context,
      blob(scaled([-0.95, -0.7, 0.95, -0.7, 1.6, -0.2, 1.6, 0.3, -1.6, 0.3, -1.6, -0.2], [build.hip, t], [middle, 0])),
      outfit.topColour,
    )
    for (const side of [-1, 1])
      line(context, [middle + side * build.hip * 0.72, -t * 0.66, middle + side * build.hip * 0.95, -t * 1.05], {
        width: build.arm * 0.55,
        colour: shade(outfit.topColour, -0.1),
      })
    fill(context, rectangle(middle - build.hip * 0.5, -t * 0.54, build.hip, t * 0.24, 1), shade(outfit.topColour, -0.16))
  },
  robe: (context, { outfit, build }, middle) => {
    const t = build.torso
    const neck = build.hip * 0.62
    fill(
      context,
      polygon([middle - neck, -t * 1.08, middle + neck, -t * 1.08, middle + neck * 0.1, -t * 0.62]),
      outfit.top === 'kimono' ? '#f6ead8' : outfit.skin,
    )
    line(context, [middle - neck * 1.1, -t * 1.06, middle + neck * 0.1, -t * 0.6, middle + neck * 0.8, -t * 0.1], {
      width: build.arm * 0.55,
      colour: shade(outfit.topColour, 0.3),
    })
    line(context, [middle + neck * 1.1, -t * 1.06, middle + neck * 0.1, -t * 0.6], {
      width: build.arm * 0.55,
      colour: shade(outfit.topColour, 0.3),
    })
  },
  kimono: (context, frame, middle) => tops.robe?.(context, frame, middle),
  armour: (context, { outfit, build }, middle) => {
    const t = build.torso
    line(context, [middle, -t * 0.98, middle + build.arm * 0.3, -t * 0.4], {
      width: build.arm * 0.3,
      colour: shade(outfit.topColour, 0.42),
    })
    for (const y of [-0.36, -0.2, -0.04])
      line(context, [-20, t * y - 1, middle, t * y + 1, 20, t * y - 1], { width: build.arm * 0.2, colour: shade(outfit.topColour, -0.34) })
  },
  spacesuit: (context, { build }, middle) => {
    const t = build.torso
    fill(context, rectangle(middle - build.hip * 0.7, -t * 0.66, build.hip * 1.5, t * 0.3, 1.2), '#c2cad6')
    for (const [x, colour] of [
      [-0.36, '#d8433a'],
      [0.06, '#3f8fd0'],
      [0.46, '#f2c230'],
    ] as const)
      fill(context, ellipse(middle + x * build.hip, -t * 0.5, build.arm * 0.34, build.arm * 0.34), colour)
    fill(context, rectangle(-40, -t * 0.04, 80, t * 0.07), '#b9c1cd')
  },
}
