/* A complete bot for the Drop protocol (docs/drop.md) in C: it looks a few plies ahead, centre first.

   cc -O2 -o drop_bot drop_bot.c
   outplay match connect4 cmd:./drop_bot level:2 --games 20 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, DEPTH = 6, WIN = 1000 };
static const char COLUMNS[] = "123456789abcdefghijklmnopqrstuvwxyz";

static int width = 7, height = 6, side = 0;
static int board[MOST][MOST]; /* [column][row], row 0 at the bottom: 0 empty, 1 moved first, 2 moved second */
static int filled[MOST];

static void drop(int column, int who) { board[column][filled[column]++] = who + 1; }
static void take_back(int column) { board[column][--filled[column]] = 0; }

static int same(int column, int row, int disc) {
  return column >= 0 && column < width && row >= 0 && row < height && board[column][row] == disc;
}

/* Does the top disc of this column make four in a row? */
static int has_four(int column) {
  static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  int row = filled[column] - 1, disc = board[column][row];
  for (int i = 0; i < 4; i++) {
    int length = 1;
    for (int sign = -1; sign <= 1; sign += 2)
      for (int n = 1; same(column + sign * n * steps[i][0], row + sign * n * steps[i][1], disc); n++) length++;
    if (length >= 4) return 1;
  }
  return 0;
}

/* The columns from the centre outwards. */
static int centre_first(int i) { return width / 2 + (i % 2 ? -(i + 1) / 2 : i / 2); }

/* Negamax with alpha-beta: how good this is for `who`, who is to move. */
static int score(int who, int depth, int alpha, int beta, int *best) {
  int moves = 0;
  for (int i = 0; i < width; i++) {
    int column = centre_first(i);
    if (filled[column] >= height) continue;
    drop(column, who);
    int found = has_four(column) ? WIN + depth : depth == 0 ? 0 : -score(1 - who, depth - 1, -beta, -alpha, NULL);
    take_back(column);
    if (best && moves == 0) *best = column;
    moves++;
    if (found > alpha) {
      alpha = found;
      if (best) *best = column;
      if (alpha >= beta) break;
    }
  }
  return moves ? alpha : 0;
}

/* The value of an argument, such as 4453 of moves=4453; an empty text if it is not there. */
static const char *argument(const char *line, const char *name, char *value, size_t size) {
  size_t length = strlen(name);
  value[0] = 0;
  for (const char *at = strchr(line, ' '); at; at = strchr(at + 1, ' '))
    if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '=') {
      snprintf(value, size, "%s", at + 2 + length);
      value[strcspn(value, " \r\n")] = 0;
    }
  return value;
}

static void set_up(const char *line) {
  char text[1024];
  int discs = 0;
  memset(board, 0, sizeof board);
  memset(filled, 0, sizeof filled);
  width = 7, height = 6;
  if (sscanf(argument(line, "size", text, sizeof text), "%dx%d", &width, &height) != 2) width = 7, height = 6;
  if (width > MOST || height > MOST) exit(1);
  argument(line, "rows", text, sizeof text); /* the top row first; the bottom row last */
  for (int end = (int)strlen(text); end > 0;) {
    int begin = end;
    while (begin > 0 && text[begin - 1] != '/') begin--;
    for (int column = 0; begin + column < end && column < width; column++)
      if (text[begin + column] == '1' || text[begin + column] == '2') drop(column, text[begin + column] - '1'), discs++;
    end = begin - 1;
  }
  side = discs % 2;
  argument(line, "moves", text, sizeof text);
  for (const char *move = text; *move; move++, side = 1 - side) drop((int)(strchr(COLUMNS, *move) - COLUMNS), side);
}

int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    char command[32] = "";
    sscanf(line, "%31s", command);
    if (strcmp(command, "drop") == 0) {
      puts("id name=drop_bot.c version=1.0\nwait");
    } else if (strcmp(command, "init") == 0) {
      puts("ready");
    } else if (strcmp(command, "pos") == 0) {
      set_up(line);
    } else if (strcmp(command, "go") == 0) {
      int best = 0, found = score(side, DEPTH, -2 * WIN, 2 * WIN, &best);
      printf("info depth=%d score=%d pv=%c\n", DEPTH, found, COLUMNS[best]);
      printf("done move=%c\n", COLUMNS[best]);
    } else if (strcmp(command, "ping") == 0) {
      puts("pong");
    } else if (strcmp(command, "quit") == 0) {
      break;
    }
    fflush(stdout);
  }
  return 0;
}
