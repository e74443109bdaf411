// Playing by hand: the pieces lie beside the board, and the solver's answer gives hints.

import { Board } from "./model/board.js";
import { putInto } from "./model/edits.js";
import { byId } from "./panels/elements.js";

export class Play {
  constructor(page) {
    this.page = page;
    this.answer = null;
  }

  get isOn() {
    return this.answer !== null;
  }

  show() {
    document.body.toggleAttribute("data-play", this.isOn);
    byId("play").textContent = this.isOn ? "Show the answer" : "Play it by hand";
  }

  /** Takes all pieces off the board, or puts them back. */
  toggle() {
    const { history } = this.page;
    if (this.isOn) {
      const answer = this.answer;
      this.end();
      history.replace("Show the answer", answer);
      this.page.changed("all");
      this.page.view.fit();
      return;
    }
    this.answer = history.state.board;
    const pieces = [...Array(this.answer.numPieces).keys()];
    history.replace("Start to play", this.answer.with(pieces.map((piece) => [piece, null, 0])));
    this.page.mend.clear();
    this.page.setMode("mend");
    this.page.showHeat(false);
    this.show();
    this.page.changed("all");
    this.page.view.fit();
    this.page.say("Drag the pieces onto the board. Hint puts one where the solver thinks it belongs.");
  }

  end() {
    this.answer = null;
    this.show();
  }

  /** Puts the selected piece, or one that lies wrong, where the answer has it. */
  hint() {
    if (!this.isOn) return;
    const { mend, history } = this.page;
    const { board, marks } = history.state;
    const lies = (piece) => same(board, this.answer, piece);
    const pieces = [...mend.selected, ...Array(board.numPieces).keys()];
    const piece = pieces.find((one) => this.answer.placeOf(one) !== null && !lies(one));
    if (piece === undefined) return this.page.say("All pieces lie where the solver thinks they belong.");
    const { board: number, row, col, turns } = this.answer.placeOf(piece);
    if (mend.move("Hint", putInto(board, marks.pins, piece, { board: number, row, col }, turns))) mend.select([piece]);
  }

  /** Says so once all pieces lie right. */
  check(board) {
    if (!this.isOn || board.differences(this.answer).length > 0) return;
    this.page.say("Solved by hand. All pieces lie where the solver thinks they belong.");
  }

  stored() {
    return this.answer?.encode() ?? null;
  }

  restore(stored) {
    this.answer = stored ? Board.decode(stored) : null;
    this.show();
    if (this.isOn) this.page.setMode("mend");
  }
}

function same(one, other, piece) {
  return one.cellIndex(one.placeOf(piece)) === other.cellIndex(other.placeOf(piece)) && one.turnsOf(piece) === other.turnsOf(piece);
}
