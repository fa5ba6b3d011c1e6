// An object that takes one call at a time. A call may release the interpreter lock; a second one, from another thread,
// is refused meanwhile.
#pragma once

#include <stdexcept>

namespace outplay::bind {

// Lives as long as the call. The flag is read and written with the lock held.
class Busy {
 public:
  Busy(bool& flag, const char* refusal) : flag_(flag) {
    if (flag_) throw std::runtime_error(refusal);
    flag_ = true;
  }
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  bool& flag_;
};

}  // namespace outplay::bind
