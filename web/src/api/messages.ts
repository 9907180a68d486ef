// Written by scripts/message_types.py from the server's message types; do not edit.

export type Color = 'white' | 'blue' | 'green' | 'red' | 'black' | 'gold'

export interface Reason {
  code: string
  params: Record<string, unknown>
  text: string
}

export interface Gems {
  white: number
  blue: number
  green: number
  red: number
  black: number
}

export interface Tokens {
  white: number
  blue: number
  green: number
  red: number
  black: number
  gold: number
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

export interface Result {
  reason: 'points' | 'stalemate' | 'cap' | 'resignation' | 'time' | 'abandoned'
  winners: (number)[]
  places: (number)[]
  points: (number)[]
  cards: (number)[]
  decided_by: 'points' | 'cards' | 'shared' | 'forfeit'
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

export interface Problem {
  code: string
  params?: Record<string, unknown>
}

export interface Person {
  id: string
  name: string | null
  guest?: number | null
  is_computer?: boolean
  level?: string | null
  avatar?: string | null
}

export interface ArchivedSeat {
  person: Person
  label: string | null
  place: number
  points: number
  rated_before?: number | null
  rated_after?: number | null
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
  aborted: number
}

export interface Leaderboard {
  players: number
  against: 'people' | 'computers'
  lines: (Ranked)[]
  strength: (Strength)[]
}

export interface Strength {
  players: number
  level: string
  rating: number
  against: string
  share: number
  games: number
}

export interface RatingInfo {
  players: number
  against: 'people' | 'computers'
  mu: number
  sigma: number
  games: number
}

export interface Profile {
  person: Person
  ratings: (RatingInfo)[]
  games: number
  aborted: number
}

export interface SizeTally {
  players: number
  games: number
  won: number
}

export interface LevelTally {
  against: string
  games: number
  won: number
}

export interface Favourite {
  id: number
  games: number
}

export interface RatingStep {
  at: number
  players: number
  against: 'people' | 'computers'
  rating: number
}

export interface Statistics {
  games: number
  won: number
  sizes: (SizeTally)[]
  levels: (LevelTally)[]
  streak: number
  longest_streak: number
  rounds: number | null
  cards: (Favourite)[]
  nobles: (Favourite)[]
  ratings: (RatingStep)[]
}

export interface LevelInfo {
  level: string
  ratings: (RatingInfo)[]
  strength: (Strength)[]
}

export interface Embedding {
  version: '1.0'
  type: 'rich'
  title: string
  provider_name: 'Splendor'
  provider_url: string
  html: string
  width: number
  height: number
  thumbnail_url: string
  thumbnail_width: number
  thumbnail_height: number
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

export interface RecordToKeep {
  record: string
}

export interface ImportedSeat {
  name: string | null
  points: number
  has_won: boolean
}

export interface ImportedGame {
  id: string
  at: number
  origin: string | null
  date: string | null
  turns: number
  reason: string
  seats: (ImportedSeat)[]
}

export interface Verdict {
  follows: boolean
  procedure: string | null
  problem: Problem | null
  contributors: (number)[]
  seating: 'random' | 'chosen' | null
}

export interface PositionQuestion {
  position: string
  moves?: (string)[]
  viewer?: number | null
  open_hands?: boolean
  cards?: (number | null)[] | null
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

export interface Catalogue {
  cards: (CardFace)[]
  nobles: (NobleTile)[]
  letters: Partial<Record<'white' | 'blue' | 'green' | 'red' | 'black' | 'gold', string>>
}

export interface AllowChat {
  type: 'allow_chat'
  key: string
  seat: number
  allow: boolean
}

export interface Write {
  type: 'write'
  key: string
  text: string
}

export interface ChatLine {
  id: string
  seat: number
  at: number
  text: string
}

export interface Correspondent {
  seat: number
  state: 'unable' | 'able' | 'asked' | 'asks' | 'open'
}

export interface Chat {
  type: 'chat'
  is_on: boolean
  paused: number | null
  people: (Correspondent)[]
  lines: (ChatLine)[]
}

export interface Written {
  type: 'written'
  line: ChatLine
}

export interface ChatWish {
  chat: boolean
}

export interface NewReport {
  line: string
  reason: 'insult' | 'threat' | 'sexual' | 'spam' | 'other'
}

export interface OwnLine {
  table: string
  at: number
  text: string
}

export interface OwnChat {
  table: string
  person: string
  allow: boolean
}

export interface OwnReport {
  created: number
  closed: number | null
  reason: 'insult' | 'threat' | 'sexual' | 'spam' | 'other'
  text: string
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

export interface Decline {
  type: 'decline'
  key: string
}

export interface Leave {
  type: 'leave'
  key: string
}

export interface Fill {
  type: 'fill'
  key: string
  seat: number
  level: string
}

export interface Empty {
  type: 'empty'
  key: string
  seat: number
}

export interface Rematch {
  type: 'rematch'
  key: string
  commit?: string | null
}

export interface Say {
  type: 'say'
  key: string
  what: 'smile' | 'laugh' | 'wow' | 'think' | 'sad' | 'cheer' | 'hello' | 'good_luck' | 'good_move' | 'well_played' | 'thanks' | 'oops' | 'one_moment' | 'good_game'
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
  fairness: Fairness | null
  rematch: string | null
  pairing?: Pairing | null
  is_host: boolean
}

export interface Update {
  type: 'update'
  version: number
  resync: boolean
  events: (Created | SatDown | NonceCommitted | NonceRevealed | Started | Played | ClocksResumed | Introduced | Filled | Emptied | Left | Declined | TookBack | TakebackOffered | TakebackAgreed | TakebackDeclined | Forfeited | Replaced | WentAbsent | CameBack | Voted | EngineTrouble | Aborted | Ended | Rematched)[]
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

export interface Said {
  type: 'said'
  seat: number
  what: 'smile' | 'laugh' | 'wow' | 'think' | 'sad' | 'cheer' | 'hello' | 'good_luck' | 'good_move' | 'well_played' | 'thanks' | 'oops' | 'one_moment' | 'good_game'
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

export interface Introduction {
  name?: string | null
  avatar?: 'fox' | 'owl' | 'bear' | 'cat' | 'hare' | 'stag' | 'lion' | 'raven' | 'frog' | 'badger' | 'ram' | 'turtle' | null
}

export interface Credentials {
  name: string
  password: string
  code?: string | null
}

export interface Confirmation {
  password: string
  code?: string | null
}

export interface NewPassword {
  old: string
  new: string
  keep_tokens?: boolean
}

export interface Recovery {
  name: string
  code: string
  new: string
}

export interface RecoveryCodes {
  codes: (string)[]
}

export interface SecondFactor {
  secret: string
  address: string
}

export interface OneTimeCode {
  code: string
}

export interface WhoInvites {
  invitations: 'everyone' | 'registered' | 'nobody'
}

export interface AccountInfo {
  created: number
  invitations: 'everyone' | 'registered' | 'nobody'
  has_second_factor: boolean
  recovery_codes: number
  chat: boolean
  chat_paused: number | null
}

export interface PushKey {
  key: string | null
}

export interface PushSubscription {
  endpoint: string
  p256dh: string
  auth: string
  language?: 'en' | 'de' | 'nl' | 'nb'
}

export interface SubscriptionInfo {
  endpoint: string
  created: number
}

export interface WhoIsMeant {
  person: string
}

export interface OwnData {
  person: Person
  created: number
  invitations: 'everyone' | 'registered' | 'nobody'
  has_second_factor: boolean
  sessions: (SessionInfo)[]
  tokens: (TokenInfo)[]
  devices: (number)[]
  blocked: (Person)[]
  subscriptions: (SubscriptionInfo)[]
  ratings: (RatedAt)[]
  games: (OwnGame)[]
  imports: (OwnImport)[]
  chat: boolean
  chats: (OwnChat)[]
  lines: (OwnLine)[]
  reports: (OwnReport)[]
}

export interface RatedAt {
  players: number
  against: 'people' | 'computers'
  mu: number
  sigma: number
  games: number
}

export interface OwnGame {
  id: string
  seat: number
  status: string
  created: number
  finished: number | null
  record: string | null
}

export interface OwnImport {
  id: string
  at: number
  record: string
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

export interface Introduced {
  version: number
  at: number
  type: 'introduced'
  person: Person
}

export interface Filled {
  version: number
  at: number
  type: 'filled'
  seat: number
  level: string
}

export interface Emptied {
  version: number
  at: number
  type: 'emptied'
  seat: number
}

export interface Left {
  version: number
  at: number
  type: 'left'
  seat: number
  reason: 'left' | 'no_nonce'
}

export interface Declined {
  version: number
  at: number
  type: 'declined'
  seat: number
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
  reason: 'abort' | 'swept' | 'endless'
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

export interface Candidate {
  move: string
  worth: number
  shares: (number)[]
  error: number
  prior: number
  visits: number
  line: (string)[]
}

export interface Evaluation {
  seat: number
  shares: (number)[]
  simulations: number
  candidates: (Candidate)[]
}

export interface EvaluationQuestion {
  position: string
  effort?: 'quick' | 'normal' | 'deep'
  include?: (string)[]
}

export interface KeyMoment {
  turn: number
  seat: number
  kind: 'error' | 'great' | 'luck'
  swing: number
}

export interface Note {
  code: string
  params: Record<string, unknown>
  text: string
}

export interface Outcome {
  card: number
  share: number
}

export interface Performance {
  scale: number
  low: number
  high: number
  below: string | null
  above: string | null
  decisions: number
}

export interface PositionToStudy {
  position: string
}

export interface RecordToReview {
  record: string
  effort?: 'quick' | 'normal' | 'deep'
}

export interface RevealedCard {
  seat: number
  kind: 'market' | 'hand'
  level: number
  card: number
  luck: (number)[]
  best: Outcome | null
  worst: Outcome | null
}

export interface Review {
  version: 1
  formula: number
  network: string
  effort: 'curve' | 'quick' | 'normal' | 'deep'
  seed: number
  players: number
  names: (string | null)[]
  position: string
  is_over: boolean
  start: (number)[]
  turns: (TurnReview)[]
  summary: (SeatReview)[]
  key_moments: (KeyMoment)[]
  decided_by: 'errors' | 'deck' | 'deal' | 'open'
  notes: (Note)[]
  done: number
  total: number
}

export interface ReviewEnd {
  type: 'end'
  state: 'underway' | 'done' | 'stopped'
}

export interface ReviewGrowth {
  type: 'growth'
  effort: string
  turns: (TurnReview)[]
  summary: (SeatReview)[]
  key_moments: (KeyMoment)[]
  decided_by: 'errors' | 'deck' | 'deal' | 'open'
  done: number
  total: number
}

export interface ReviewStatus {
  id: string
  effort: 'quick' | 'normal' | 'deep'
  done: number
  total: number
  state: 'underway' | 'done' | 'stopped'
}

export interface ReviewWhole {
  type: 'review'
  review: Review
}

export interface ReviewWish {
  effort?: 'quick' | 'normal' | 'deep'
}

export interface SeatReview {
  seat: number
  name: string | null
  average: number
  result: number
  deal: number
  luck: number
  own_errors: number
  own_errors_error: number
  others_errors: number
  others_errors_error: number
  rest: number
  decisions: number
  grades: Partial<Record<'best' | 'great' | 'excellent' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'forced', number>>
  mean_loss: number | null
  accuracy: number | null
  performance: Performance | null
}

export interface TurnReview {
  number: number
  round_number: number
  seat: number
  move: string
  effort: 'curve' | 'quick' | 'normal' | 'deep' | null
  best: string | null
  loss: number
  error: number
  grade: 'best' | 'great' | 'excellent' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'forced' | null
  is_certain: boolean
  cost: (number)[]
  expected_loss: Partial<Record<string, number>>
  simulations: number
  candidates: (Candidate)[]
  reasons: (Reason)[]
  reveals: (RevealedCard)[]
  luck: (number)[]
  shares: (number)[]
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
  position?: string | null
}

export interface Seek {
  speed: 'blitz' | 'live' | 'slow'
  players?: number
  fill?: number | null
  level?: string
  commit?: string | null
  waiting?: string | null
}

export interface Pairing {
  speed: 'blitz' | 'live' | 'slow'
  fills: number | null
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
  owes_promise: boolean
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
  pairing?: 'blitz' | 'live' | 'slow' | null
}

export interface Lobby {
  open: (LobbyTable)[]
  live: (LobbyTable)[]
}

export interface CalendarEntry {
  table: string
  until: number
  seats: (Person | null)[]
  to_move: number
  your_turn: boolean
}

export interface Calendar {
  entries: (CalendarEntry)[]
  has_address: boolean
}

export interface CalendarAddress {
  address: string
}

export interface OwnTable {
  id: string
  status: 'open' | 'dealing' | 'live'
  seats: (Person | null)[]
  your_turn: boolean
  invited_by: Person | null
}

export type AnyEvent = Created | Introduced | SatDown | Filled | Emptied | Left | Declined | NonceCommitted | NonceRevealed | Started | Played | TookBack | TakebackOffered | TakebackAgreed | TakebackDeclined | Forfeited | Replaced | WentAbsent | CameBack | Voted | EngineTrouble | Aborted | Ended | ClocksResumed | Rematched

export type ServerMessage = Update | Done | Refused | Continuations | RematchReady | Presence | Said | Chat | Written | Beat | Bye

export type ClientMessage = Play | Commit | Reveal | Resign | Abort | AskTakeback | AnswerTakeback | Vote | Decline | Leave | Fill | Empty | Rematch | Consider | Say | AllowChat | Write | Ping

export type ReviewMessage = ReviewWhole | ReviewGrowth | ReviewEnd

export type Movement = TokensMoved | CardMoved | NobleMoved

export type Clock = NoClock | LiveClock | DaysClock
