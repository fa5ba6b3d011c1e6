// The same work shared by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "base/stop.hpp"

namespace outplay {

// Calls work(begin, end) for stretches of 0..count until all are done or `stop` is requested. make_work() is called
// once in each thread and makes its `work`. What a thread throws stops the others and is thrown here.
template <class MakeWork>
void share_out(int threads, std::uint64_t count, std::uint64_t stretch, const Stop& stop, MakeWork&& make_work) {
  std::atomic<std::uint64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      auto&& work = make_work();
      while (!stop.requested()) {
        const std::uint64_t begin = next.fetch_add(stretch);
        if (begin >= count) return;
        work(begin, std::min(begin + stretch, count));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next.store(count);
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int index = 1; index < threads && static_cast<std::uint64_t>(index) * stretch < count; ++index)
      helpers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace outplay
