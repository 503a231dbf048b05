import { shade } from '../colour.ts'
import type { Drawing } from './pen.ts'

/** Drawings of buildings of which only the front is visible: shops with a window and an awning. */
export const fronts: Record<string, Drawing> = {
  storefront: {
    paint: pen => {
      const colour = pen.main('#2f6f73')
      pen.box(-88, -100, 176, 100, '#b9795c')
      for (let y = -96; y < 0; y += 6) pen.line([-88, y, 88, y], 0.5, '#a5664b')
      pen.box(-82, -76, 164, 76, shade(colour, -0.15))
      pen.box(-84, -98, 168, 24, colour, 1)
      pen.boxFlat(-81, -95.5, 162, 19, shade(colour, -0.28), 1)
      pen.window(-76, -50, 58, 40, { frame: shade(colour, 0.25) })
      pen.window(18, -50, 58, 40, { frame: shade(colour, 0.25) })
      for (const [x, tone] of [
        [-70, '#e2a02e'],
        [-58, '#d94a3d'],
        [-46, '#f3efe6'],
        [-34, '#4f9d69'],
        [26, '#8a5aa8'],
        [38, '#f3efe6'],
        [50, '#d94a3d'],
        [62, '#3d7fb5'],
      ] as const)
        pen.boxFlat(x, -10 - 9, 7, 9, tone, 1)
      pen.box(-14, -52, 28, 52, shade(colour, 0.12), 1)
      pen.window(-10, -48, 20, 30, { frame: shade(colour, 0.3) })
      pen.ovalFlat(9, -14, 1.4, 1.4, '#f2d27a')
      for (let i = 0; i < 12; i++) {
        const x = -84 + i * 14
        pen.polyFlat([x, -74, x + 14, -74, x + 14, -58, x, -58], i % 2 ? '#f7f2e6' : colour)
        pen.ovalFlat(x + 7, -58, 7, 4, i % 2 ? '#f7f2e6' : colour)
      }
      pen.boxFlat(-92, -3, 184, 3, '#8d8a84')
    },
    anchors: { panel: { x: 0, y: -86, width: 150, height: 17 } },
  },
}
