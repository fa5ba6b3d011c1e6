// The core's own loop over a batch: what solve_many is compared with. See bench/solve_many.py.
//
// solve_loop POSITIONS BOOK DEEP_BOOK: positions are pairs of 64-bit words, own discs and all discs, on 7 x 6. Prints
// the sum of their scores.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "solver/book.hpp"
#include "solver/deep_book.hpp"
#include "solver/solver.hpp"

using namespace outplay;

static std::string contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main(int, char** arguments) {
  const std::string positions = contents(arguments[1]), deep = contents(arguments[3]);
  const auto book = solver::Book::decode(contents(arguments[2]));
  const auto deep_book =
      solver::DeepBook::read({reinterpret_cast<const std::uint8_t*>(deep.data()), deep.size()}, nullptr);
  if (!book || !deep_book) return 1;
  const auto& board = connect4::geometry<std::uint64_t>({7, 6});
  const auto* word = reinterpret_cast<const std::uint64_t*>(positions.data());
  solver::Solver solver(solver::Options{});
  const Stop stop;
  long long sum = 0;
  for (std::size_t index = 0; index < positions.size() / 16; ++index, word += 2) {
    const connect4::Position position = connect4::Position64(board, word[0], word[1]);
    auto known = book->find(position);
    if (!known) known = deep_book->find(position);
    solver::Progress progress;
    sum += known ? *known : solver.solve(position, false, {}, stop, progress).low;
  }
  std::printf("%lld\n", sum);
}
