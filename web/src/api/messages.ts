// Written by scripts/message_types.py from the server's message types; do not edit.

export type Color = 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold'

export interface Problem {
  code: string
  params?: Record<string, unknown>
}

export interface BoardView {
  position: string
  viewer: number | null
  players: number
  seat: number
  round: number
  turn: number
  phase: 'act' | 'return' | 'noble' | 'points' | 'stalemate' | 'cap'
  is_last_round: boolean
  is_over: boolean
  bank: Tokens
  market: ((ShownCard | null)[])[]
  decks: (number)[]
  nobles: (ShownNoble)[]
  hands: (Hand)[]
}

export interface MoveForm {
  text: string
  kind: 'take' | 'reserve' | 'draw' | 'buy' | 'pass' | 'finish'
  taken?: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', number>> | null
  card?: number | null
  level?: number | null
  payment?: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', number>> | null
  returned?: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', number>> | null
  noble?: number | null
  then?: 'return' | 'noble' | null
}

export interface Person {
  id: string
  name: string | null
  guest?: number | null
  is_computer?: boolean
  level?: string | null
}

export interface Result {
  reason: 'points' | 'stalemate' | 'cap' | 'resignation' | 'time' | 'abandoned'
  winners: (number)[]
  places: (number)[]
  points: (number)[]
  cards: (number)[]
  decided_by: 'points' | 'cards' | 'shared' | 'forfeit'
}

export interface ArchivedSeat {
  person: Person
  label: string | null
  place: number
  points: number
}

export interface ArchivedGame {
  id: string
  players: number
  finished: number
  turns: number
  reason: string
  is_rated: boolean
  seats: (ArchivedSeat)[]
}

export interface Archive {
  games: (ArchivedGame)[]
  before: string | null
}

export interface Ranked {
  place: number
  person: Person
  rating: number
  mu: number
  sigma: number
  games: number
}

export interface Leaderboard {
  players: number
  lines: (Ranked)[]
}

export interface RatingInfo {
  players: number
  mu: number
  sigma: number
  games: number
}

export interface Profile {
  person: Person
  ratings: (RatingInfo)[]
}

export interface LevelInfo {
  level: string
  ratings: (RatingInfo)[]
}

export interface Frame {
  turn: number
  seat: number | null
  move: MoveForm | null
  movements: (TokensMoved | CardMoved | NobleMoved)[]
  comment: string
  clock: number | null
  evaluation: (number)[] | null
  board: BoardView
}

export interface Replay {
  tags: Partial<Record<string, string>>
  names: (string | null)[]
  viewer: number | null
  reveals: boolean
  frames: (Frame)[]
  result: Result | null
  record: string
}

export interface RecordText {
  record: string
}

export interface Verdict {
  is_fair: boolean
  problem: Problem | null
  contributors: (number)[]
}

export interface PositionQuestion {
  position: string
  moves?: (string)[]
  viewer?: number | null
}

export interface PositionAnswer {
  board: BoardView
  moves: (MoveForm)[]
  played: (Frame)[]
  result: Result | null
}

export interface HintQuestion {
  position: string
  level?: string
}

export interface Hint {
  level: string
  move: MoveForm
}

export interface Health {
  status: 'ok' | 'failing'
  build: string
  tables: number
}

export interface Refusal {
  error: Problem
}

export interface Tokens {
  white: number
  blue: number
  green: number
  red: number
  black: number
  gold: number
}

export interface Gems {
  white: number
  blue: number
  green: number
  red: number
  black: number
}

export interface CardFace {
  id: number
  level: number
  points: number
  bonus: 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold'
  cost: Gems
}

export interface NobleTile {
  id: number
  points: number
  cost: Gems
}

export interface Catalogue {
  cards: (CardFace)[]
  nobles: (NobleTile)[]
  letters: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', string>>
}

export interface ShownCard {
  id: number | null
  level: number
  points: number | null
  bonus: 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold' | null
  cost: Gems | null
  missing: Gems | null
  gold: number | null
  affordable: boolean
}

export interface ReservedCard {
  id: number | null
  level: number
  points: number | null
  bonus: 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold' | null
  cost: Gems | null
  missing: Gems | null
  gold: number | null
  affordable: boolean
  from_deck: boolean
}

export interface ShownNoble {
  id: number
  points: number
  cost: Gems
  seat: number | null
  missing: Gems | null
}

export interface Hand {
  tokens: Tokens
  bonuses: Gems
  points: number
  bought: (CardFace)[]
  reserved: (ReservedCard)[]
  nobles: (number)[]
}

export interface Place {
  area: 'bank' | 'market' | 'deck' | 'tokens' | 'reserved' | 'bought' | 'nobles'
  seat?: number | null
  level?: number | null
  slot?: number | null
}

export interface TokensMoved {
  what: 'tokens'
  tokens: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', number>>
  origin: Place
  target: Place
}

export interface CardMoved {
  what: 'card'
  card: number | null
  level: number
  origin: Place
  target: Place
}

export interface NobleMoved {
  what: 'noble'
  noble: number
  origin: Place
  target: Place
}

export interface Play {
  type: 'play'
  key: string
  move: string
  turn?: number | null
}

export interface Consider {
  type: 'consider'
  key: string
  move: string
}

export interface Commit {
  type: 'commit'
  key: string
  commit: string
}

export interface Reveal {
  type: 'reveal'
  key: string
  nonce: string
}

export interface Resign {
  type: 'resign'
  key: string
  seat?: number | null
}

export interface Abort {
  type: 'abort'
  key: string
}

export interface AskTakeback {
  type: 'ask_takeback'
  key: string
}

export interface AnswerTakeback {
  type: 'answer_takeback'
  key: string
  accept: boolean
}

export interface Vote {
  type: 'vote'
  key: string
  absent: number
  choice: 'wait' | 'computer' | 'end'
}

export interface Leave {
  type: 'leave'
  key: string
}

export interface Rematch {
  type: 'rematch'
  key: string
  commit?: string | null
}

export interface Ping {
  type: 'ping'
}

export interface Event {
  version: number
  at: number
}

export interface Created {
  version: number
  at: number
  type: 'created'
}

export interface SatDown {
  version: number
  at: number
  type: 'sat_down'
  seat: number
  person: Person
}

export interface NonceCommitted {
  version: number
  at: number
  type: 'nonce_committed'
  seat: number
}

export interface NonceRevealed {
  version: number
  at: number
  type: 'nonce_revealed'
  seat: number
}

export interface Started {
  version: number
  at: number
  type: 'started'
  order: (number)[]
}

export interface Played {
  version: number
  at: number
  type: 'played'
  seat: number
  turn: number
  move: MoveForm
  movements: (TokensMoved | CardMoved | NobleMoved)[]
  ends_turn: boolean
}

export interface ClocksResumed {
  version: number
  at: number
  type: 'clocks_resumed'
}

export interface Table {
  id: string
  version: number
  status: 'open' | 'dealing' | 'live' | 'over' | 'aborted'
  public: boolean
  spectators: boolean
  clock: NoClock | LiveClock | DaysClock
  order: 'random' | 'chosen'
  created: number
  now: number
  seats: (Seat)[]
  you: (number)[]
  viewer: number | null
  board: BoardView | null
  moves: (MoveForm)[]
  can_undo: boolean
  can_abort: boolean
  offer: Offer | null
  result: Result | null
  fairness: Fairness
  rematch: string | null
}

export interface Update {
  type: 'update'
  version: number
  resync: boolean
  events: (Created | SatDown | NonceCommitted | NonceRevealed | Started | Played | ClocksResumed | Left | TookBack | TakebackOffered | TakebackAgreed | TakebackDeclined | Forfeited | Replaced | WentAbsent | CameBack | Voted | EngineTrouble | Aborted | Ended | Rematched)[]
  table: Table
}

export interface Done {
  type: 'done'
  key: string
  version: number
}

export interface Refused {
  type: 'refused'
  key: string | null
  error: Problem
}

export interface Continuations {
  type: 'continuations'
  key: string
  moves: (MoveForm)[]
}

export interface RematchReady {
  type: 'rematch_ready'
  key: string
  table: string
}

export interface Presence {
  type: 'presence'
  online: (number)[]
  spectators: number
}

export interface Beat {
  type: 'beat'
  at: number
  build: string
}

export interface Bye {
  type: 'bye'
  code: 'shutdown' | 'slow' | 'revoked' | 'flood'
}

export interface YourTurn {
  type: 'your_turn'
  table: string
  seat: number
  turn: number
}

export interface TableStarted {
  type: 'table_started'
  table: string
}

export interface TableEnded {
  type: 'table_ended'
  table: string
  result: Result | null
}

export interface Invited {
  type: 'invited'
  table: string
  seat: number
}

export interface Me {
  person: Person
  is_registered: boolean
  scopes: (string)[]
}

export interface Credentials {
  name: string
  password: string
}

export interface NewPassword {
  old: string
  new: string
}

export interface SessionInfo {
  id: string
  created: number
  seen: number
  agent: string
  is_this: boolean
}

export interface NewToken {
  name: string
  scopes: ('read' | 'play' | 'create')[]
  days?: number
}

export interface TokenInfo {
  id: string
  name: string
  scopes: ('read' | 'play' | 'create')[]
  created: number
  expires: number
  seen: number | null
}

export interface TokenMade {
  token: string
  info: TokenInfo
}

export interface Left {
  version: number
  at: number
  type: 'left'
  seat: number
  reason: 'left' | 'no_nonce'
}

export interface TookBack {
  version: number
  at: number
  type: 'took_back'
  turns: number
}

export interface TakebackOffered {
  version: number
  at: number
  type: 'takeback_offered'
  seat: number
}

export interface TakebackAgreed {
  version: number
  at: number
  type: 'takeback_agreed'
  seat: number
}

export interface TakebackDeclined {
  version: number
  at: number
  type: 'takeback_declined'
  seat: number
}

export interface Forfeited {
  version: number
  at: number
  type: 'forfeited'
  seat: number
  reason: 'resigned' | 'time' | 'absent'
}

export interface Replaced {
  version: number
  at: number
  type: 'replaced'
  seat: number
  level: string
}

export interface WentAbsent {
  version: number
  at: number
  type: 'went_absent'
  seat: number
  until: number
}

export interface CameBack {
  version: number
  at: number
  type: 'came_back'
  seat: number
}

export interface Voted {
  version: number
  at: number
  type: 'voted'
  seat: number
  absent: number
  choice: 'wait' | 'computer' | 'end'
}

export interface EngineTrouble {
  version: number
  at: number
  type: 'engine_trouble'
  seat: number
  level: string
  instead: string
}

export interface Aborted {
  version: number
  at: number
  type: 'aborted'
  seat: number | null
  reason: 'abort' | 'swept'
}

export interface Ended {
  version: number
  at: number
  type: 'ended'
  absent: number
}

export interface Rematched {
  version: number
  at: number
  type: 'rematched'
  seat: number
  table: string
}

export interface NoClock {
  kind: 'none'
}

export interface LiveClock {
  kind: 'live'
  seconds: number
  increment?: number
}

export interface DaysClock {
  kind: 'days'
  days: number
}

export interface SeatWish {
  kind: 'me' | 'open' | 'invited' | 'device' | 'computer'
  name?: string | null
  level?: string | null
}

export interface NewTable {
  seats: (SeatWish)[]
  public?: boolean
  spectators?: boolean
  clock?: NoClock | LiveClock | DaysClock
  order?: 'random' | 'chosen'
  commit?: string | null
}

export interface Join {
  seat?: number | null
  commit?: string | null
}

export interface Absence {
  since: number
  until: number
  votes: Partial<Record<string, 'computer' | 'end'>>
}

export interface Seat {
  seat: number
  kind: 'open' | 'invited' | 'person' | 'device' | 'computer'
  person: Person | null
  player: Person | null
  label: string | null
  clock: number | null
  forfeit: 'resigned' | 'time' | 'absent' | null
  absence: Absence | null
  has_committed: boolean
  has_revealed: boolean
}

export interface Fairness {
  procedure: string
  commit: string
  secret: string | null
  commits: (string | null)[]
  nonces: (string | null)[]
  order: (number)[] | null
}

export interface Offer {
  seat: number
  turns: number
  agreed: (number)[]
}

export interface LobbyTable {
  id: string
  status: 'open' | 'live'
  seats: (Person | null)[]
  clock: NoClock | LiveClock | DaysClock
  created: number
}

export interface Lobby {
  open: (LobbyTable)[]
  live: (LobbyTable)[]
}

export interface OwnTable {
  id: string
  status: 'open' | 'dealing' | 'live'
  seats: (Person | null)[]
  your_turn: boolean
}

export type AnyEvent = Created | SatDown | Left | NonceCommitted | NonceRevealed | Started | Played | TookBack | TakebackOffered | TakebackAgreed | TakebackDeclined | Forfeited | Replaced | WentAbsent | CameBack | Voted | EngineTrouble | Aborted | Ended | ClocksResumed | Rematched

export type ServerMessage = Update | Done | Refused | Continuations | RematchReady | Presence | Beat | Bye

export type ClientMessage = Play | Commit | Reveal | Resign | Abort | AskTakeback | AnswerTakeback | Vote | Leave | Rematch | Consider | Ping

export type Movement = TokensMoved | CardMoved | NobleMoved

export type Clock = NoClock | LiveClock | DaysClock
