import { type Canvas, createCanvas } from '@napi-rs/canvas'

/** Finishes the whole picture: bright parts glow slightly (bloom), and corners become darker
 *  (vignette). */
export function finish(canvas: Canvas): void {
  bloom(canvas)
  vignette(canvas)
}

function bloom(canvas: Canvas): void {
  const { width, height } = canvas
  const scale = Math.min(1, 256 / Math.min(width, height))
  const small = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const pen = small.getContext('2d')
  pen.drawImage(canvas, 0, 0, small.width, small.height)
  // Multiplying the picture by its copy three times darkens everything except its bright parts.
  const copy = createCanvas(small.width, small.height)
  copy.getContext('2d').drawImage(small, 0, 0)
  pen.globalCompositeOperation = 'multiply'
  pen.drawImage(copy, 0, 0)
  pen.drawImage(copy, 0, 0)
  pen.drawImage(copy, 0, 0)
  const blurred = createCanvas(small.width, small.height)
  const brush = blurred.getContext('2d')
  brush.filter = `blur(${(Math.min(small.width, small.height) * 0.022).toFixed(2)}px)`
  brush.drawImage(small, 0, 0)
  const context = canvas.getContext('2d')
  context.save()
  context.globalCompositeOperation = 'screen'
  context.globalAlpha = 0.2
  context.drawImage(blurred, 0, 0, width, height)
  context.restore()
}

function vignette(canvas: Canvas): void {
  const { width, height } = canvas
  const context = canvas.getContext('2d')
  context.save()
  context.translate(width / 2, height / 2)
  context.scale(width / 2, height / 2)
  const gradient = context.createRadialGradient(0, 0, 0.72, 0, 0, 1.45)
  gradient.addColorStop(0, 'rgba(18,10,34,0)')
  gradient.addColorStop(1, 'rgba(18,10,34,0.25)')
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = gradient
  context.fillRect(-1, -1, 2, 2)
  context.restore()
}
