// A growing array of plain values. Large ones grow in place where the system can remap them, so no copy doubles the peak.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

namespace bpe {

template <class T>
class Block {
  public:
    Block() = default;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() { std::free(data_); }

    T& operator[](std::size_t i) {
        assert(i < size_);
        return data_[i];
    }
    const T& operator[](std::size_t i) const {
        assert(i < size_);
        return data_[i];
    }
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return room_ * sizeof(T); }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& back() { return (*this)[size_ - 1]; }

    void push(T value) {
        if (size_ == room_) grow(size_ + 1);
        data_[size_++] = value;
    }

    // Room for `count` more values, whose first index is returned; what they hold is not set.
    std::size_t take(std::size_t count) {
        if (size_ + count > room_) grow(size_ + count);
        size_ += count;
        return size_ - count;
    }

    void resize(std::size_t size, T value) {
        if (size > room_) grow(size);
        for (std::size_t i = size_; i < size; i++) data_[i] = value;
        size_ = size;
    }

    void reserve(std::size_t room) {
        if (room > room_) exactly(room);
    }

    // Room for so many values in all, from where pushing one after another would have grown: what follows cannot fail.
    void ensure(std::size_t room) {
        if (room > room_) grow(room);
    }

    void cut(std::size_t size) {
        assert(size <= size_);
        size_ = size;
    }

    void swap(Block& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
    }

  private:
    void grow(std::size_t need) {
        std::size_t room = room_ + room_ / 2 + 16;
        exactly(room < need ? need : room);
    }

    // A thread's first exception needs memory of its own, without which the C library ends the program: it is had now.
    void exactly(std::size_t room) {
        std::current_exception();
        void* moved = std::realloc(static_cast<void*>(data_), room * sizeof(T));
        if (moved == nullptr) throw std::bad_alloc();
        data_ = static_cast<T*>(moved);
        room_ = room;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

}  // namespace bpe
