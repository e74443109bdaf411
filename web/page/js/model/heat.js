// The colours of confidence: those of the report, from dark red (doubtful) to pale (certain).

const SCALE = [
  [0x6b, 0x00, 0x0d],
  [0xd0, 0x2b, 0x1f],
  [0xf7, 0x84, 0x4f],
  [0xfd, 0xcb, 0x93],
  [0xee, 0xf1, 0xf4],
];

/** Red, green and blue of a confidence from 0 to 1. */
export function heatColour(confidence) {
  const position = Math.min(1, Math.max(0, confidence)) * (SCALE.length - 1);
  const below = Math.min(Math.floor(position), SCALE.length - 2);
  const share = position - below;
  return SCALE[below].map((value, channel) => Math.round(value + share * (SCALE[below + 1][channel] - value)));
}

/** The colour for style sheets. */
export function heatCss(confidence) {
  return `rgb(${heatColour(confidence).join(" ")})`;
}
